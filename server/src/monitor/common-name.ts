/** What people call the holder of a distinguished name: its CN, else its O, else all of it. */
export function commonName(distinguishedName: string): string {
  return partOf(distinguishedName, "CN") ?? partOf(distinguishedName, "O") ?? distinguishedName;
}

/** An issuer's name with the organization behind it, as "E7, Let's Encrypt": the name alone may be a code. */
export function issuerName(distinguishedName: string): string {
  const names = [commonName(distinguishedName), partOf(distinguishedName, "O")];
  return [...new Set(names.filter((name) => name !== undefined))].join(", ");
}

function partOf(distinguishedName: string, key: string): string | undefined {
  return new RegExp(`(?:^|, )${key}=(.*?)(?=, [A-Za-z0-9.]+=|$)`).exec(distinguishedName)?.[1];
}
