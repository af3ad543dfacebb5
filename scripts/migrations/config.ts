/** For drizzle-kit, whose paths begin in the folder that it is started in. */
export default {
  dialect: 'sqlite',
  schema: ['./src/storage/schema.ts', './src/storage/library/schema.ts'],
  out: './migrations',
};
