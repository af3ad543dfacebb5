import { foldForSearch } from '#core/text/fold.ts';

const SUPERSCRIPTS = /[\u00b9\u00b2\u00b3\u2070\u2074-\u207f]+/g;
const SUBSCRIPTS = /[\u2080-\u208e]+/g;
const BRACES = /[{}]/g;
const COMMAND = /\\([a-z]+) ?/g;
/** Matches a TeX formula in text. A dollar sign next to white space, or before a digit, is a currency sign. */
const FORMULA = /\$\$?([^\s$](?:[^$]*[^\s$])?)\$\$?(?!\d)/g;
const SPACED_OPERATOR = / ?([=<>≤≥≠≈+\-*/^_×·±→(),|]) ?/g;
export const MAY_BE_FORMULA = /[=<>≤≥≠≈+^_$\\×·±→\u00b9\u00b2\u00b3\u2070-\u208e]|<su[bp]>/;

const GREEK =
  'alpha=α beta=β gamma=γ delta=δ epsilon=ε varepsilon=ε zeta=ζ eta=η theta=θ vartheta=θ iota=ι kappa=κ lambda=λ mu=μ nu=ν xi=ξ pi=π rho=ρ sigma=σ tau=τ upsilon=υ phi=φ varphi=φ chi=χ psi=ψ omega=ω';
const SIGNS =
  'le=≤ leq=≤ ge=≥ geq=≥ ne=≠ neq=≠ approx=≈ times=× cdot=· pm=± to=→ rightarrow=→ infty=∞ in=∈ sum=∑ int=∫ partial=∂ nabla=∇ sqrt=√';
const STYLES = 'mathrm= mathbf= mathit= mathsf= text= operatorname= left= right= displaystyle=';
/** Maps TeX commands to characters; those that only change the look, to nothing. */
const SYMBOLS: ReadonlyMap<string, string> = new Map(
  [GREEK, SIGNS, STYLES]
    .join(' ')
    .split(' ')
    .map((pair): [string, string] => {
      const [name = '', symbol = ''] = pair.split('=');
      return [name, symbol];
    }),
);

/** Writes superscripts and subscripts as `^` and `_`, without the braces of TeX, and folds the text. */
export function foldScripts(text: string): string {
  return foldForSearch(withScriptMarks(text)).replace(BRACES, '');
}

export function withScriptMarks(text: string): string {
  return text.replace(SUPERSCRIPTS, (run) => `^${run}`).replace(SUBSCRIPTS, (run) => `_${run}`);
}

/** Folds text so that its formulas are equal in TeX and as characters, with and without spaces. */
export function foldFormulas(text: string): string {
  return foldForSearch(withScriptMarks(text))
    .replace(COMMAND, (command, name: string) => SYMBOLS.get(name) ?? command)
    .replace(BRACES, '')
    .replace(FORMULA, (_, formula: string) => formula.replaceAll(' ', ''))
    .replace(SPACED_OPERATOR, '$1')
    .trim();
}
