import { isPublicAddress } from "../../check/guard.ts";

const HINT = /^(ipv[46]hint)=(.+)$/;

/**
 * A service binding as `serviceBindingText` writes it, without the addresses in its hints that are not public (RFC 9460 §7.3), and
 * how many those were.
 */
export function withoutInsideHints(binding: string): { value: string; withheld: number } {
  let withheld = 0;
  const parts = binding.split(" ").flatMap((part) => {
    const [, name, list = ""] = HINT.exec(part) ?? [];
    if (name === undefined) return [part];
    const addresses = list.split(",");
    const told = addresses.filter(isPublicAddress);
    withheld += addresses.length - told.length;
    return told.length === 0 ? [] : [`${name}=${told.join(",")}`];
  });
  return { value: parts.join(" "), withheld };
}
