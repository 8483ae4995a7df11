/** A family's word for one of legacy's: the same in legacy, in snake_case in v2. */
export type Word = (legacy: string) => string;

/** The word as it begins a name. */
export const capital: Word = (word) => word.charAt(0).toUpperCase() + word.slice(1);
