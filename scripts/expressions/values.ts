import type { Argument, CallExpression, Expression, Program, TemplateLiteral } from 'oxc-parser';
import { bindingsOf } from './bindings.ts';
import type { Bindings } from './bindings.ts';

export type Value = string | number | { pattern: string; flags: string } | readonly Value[];

/** The value of a constant expression of texts, numbers, lists and regular expressions. */
export function valueOf(node: Expression | Argument, file: string, read: (file: string) => Program): Value | undefined {
  return new Evaluation(read).of(node, bindingsOf(file, read));
}

class Evaluation {
  readonly #read: (file: string) => Program;

  constructor(read: (file: string) => Program) {
    this.#read = read;
  }

  of(node: Expression | Argument, bindings: Bindings): Value | undefined {
    switch (node.type) {
      case 'Literal':
        if ('regex' in node) return node.regex;
        return typeof node.value === 'string' || typeof node.value === 'number' ? node.value : undefined;
      case 'TemplateLiteral':
        return this.#template(node, bindings, false);
      case 'TaggedTemplateExpression':
        return isMember(node.tag, 'String', 'raw') ? this.#template(node.quasi, bindings, true) : undefined;
      case 'Identifier':
        return this.#named(node.name, bindings);
      case 'ArrayExpression':
        return all(
          node.elements.map((one) =>
            one === null || one.type === 'SpreadElement' ? undefined : this.of(one, bindings),
          ),
        );
      case 'BinaryExpression':
        return node.left.type === 'PrivateIdentifier'
          ? undefined
          : combined(node.operator, this.of(node.left, bindings), this.of(node.right, bindings));
      case 'MemberExpression': {
        const of = node.property.type === 'Identifier' ? this.of(node.object, bindings) : undefined;
        const isSource = node.property.type === 'Identifier' && node.property.name === 'source';
        return isSource && typeof of === 'object' && 'pattern' in of ? of.pattern : undefined;
      }
      case 'CallExpression':
        return this.#call(node, bindings);
      default:
        return undefined;
    }
  }

  #named(name: string, bindings: Bindings): Value | undefined {
    const bound = bindings.find(name);
    return bound === undefined ? undefined : this.of(bound.value, bindingsOf(bound.file, this.#read));
  }

  #template({ quasis, expressions }: TemplateLiteral, bindings: Bindings, isRaw: boolean): string | undefined {
    const parts = expressions.map((one) => this.of(one, bindings));
    if (!parts.every((part) => typeof part === 'string' || typeof part === 'number')) return undefined;
    return quasis
      .map(({ value: { raw, cooked } }, at) => `${isRaw ? raw : (cooked ?? '')}${String(parts[at] ?? '')}`)
      .join('');
  }

  /** The value of `split`, `join` and `replaceAll` with constants. */
  #call({ callee, arguments: given }: CallExpression, bindings: Bindings): Value | undefined {
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined;
    const of = this.of(callee.object, bindings);
    const [first, second] = given.map((one) => this.of(one, bindings));
    const { name } = callee.property;
    if (typeof of === 'string' && typeof first === 'string') {
      if (name === 'split') return of.split(first);
      if (name === 'replaceAll' && typeof second === 'string') return of.replaceAll(first, second);
    }
    return name === 'join' && Array.isArray(of) && typeof first === 'string' ? of.join(first) : undefined;
  }
}

function all(values: readonly (Value | undefined)[]): readonly Value[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}

function combined(operator: string, left: Value | undefined, right: Value | undefined): Value | undefined {
  if (operator === '+' && typeof left === 'string' && typeof right === 'string') return left + right;
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  return operator === '+'
    ? left + right
    : operator === '-'
      ? left - right
      : operator === '*'
        ? left * right
        : undefined;
}

function isMember(node: Expression, object: string, property: string): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === object &&
    node.property.type === 'Identifier' &&
    node.property.name === property
  );
}
