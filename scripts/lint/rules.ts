/** Rules of `.oxlintrc.json` for every file. */
export const RULES = {
  $schema: './node_modules/oxlint/configuration_schema.json',
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'vitest'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
  },
  ignorePatterns: ['node_modules', '.wrangler', 'dist', 'worker-configuration.d.ts', 'generated'],
  rules: {
    'import/no-cycle': [
      'error',
      {
        ignoreTypes: false,
      },
    ],
    'import/no-unassigned-import': 'off',
    'typescript/no-floating-promises': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-unsafe-type-assertion': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      {
        considerDefaultExhaustiveForUnions: true,
      },
    ],
    'typescript/consistent-type-imports': [
      'error',
      {
        disallowTypeAnnotations: false,
      },
    ],
    'typescript/consistent-type-assertions': [
      'error',
      {
        assertionStyle: 'never',
      },
    ],
    'typescript/ban-ts-comment': 'error',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-reverse': 'off',
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'no-control-regex': 'off',
    'max-lines': [
      'error',
      {
        max: 400,
        skipBlankLines: false,
        skipComments: false,
      },
    ],
    'max-lines-per-function': [
      'error',
      {
        max: 60,
        skipBlankLines: true,
        skipComments: true,
      },
    ],
    'no-console': 'error',
    eqeqeq: 'error',
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'error',
    'typescript/consistent-return': 'off',
  },
};

/** Rules that do not apply to some files. */
export const EXCEPTIONS = [
  {
    files: ['test/**', 'scripts/**', 'bench/**'],
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      'no-console': 'off',
      'typescript/consistent-type-assertions': 'off',
      'typescript/no-unsafe-type-assertion': 'off',
      'import/no-named-as-default-member': 'off',
      'vitest/no-conditional-expect': 'off',
    },
  },
  {
    files: ['src/telemetry/log.ts'],
    rules: {
      'no-console': 'off',
    },
  },
  {
    files: ['src/browsing/in-page/**'],
    rules: {
      'oxc/no-this-in-exported-function': 'off',
    },
  },
];
