type FieldWords = {
  type: string;
  autocomplete: string;
  name: string;
  id: string;
};
/**
 * True for a password, a one-time code or a card number. No snapshot, HTML or result shows such a value. No other code
 * defines this.
 */
export declare function isPrivateField({ type, autocomplete, name, id }: FieldWords): boolean;
export {};
