import { capital } from "../wire/field.ts";

type NamedFor<K extends string, T> = { [N in keyof T & string as `${K}${Capitalize<N>}`]: T[N] };

/** What there is for several kinds, named for one of them: `summary` is `domainSummary`. */
export const namedFor = <K extends string, T extends object>(kind: K, each: T): NamedFor<K, T> =>
  Object.fromEntries(Object.entries(each).map(([name, one]) => [kind + capital(name), one])) as NamedFor<
    K,
    T
  >;
