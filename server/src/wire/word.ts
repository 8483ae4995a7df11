/** A family's word for one of legacy's: the same in legacy, in snake_case in v2. */
export type Word = (legacy: string) => string;
