/** `200-399,401`: codes and ranges of codes, 100…999. */
export const STATUS_SET_PATTERN = "^[1-9]\\d\\d(-[1-9]\\d\\d)?( *, *[1-9]\\d\\d(-[1-9]\\d\\d)?)*$";

/** What is expected of a site, after redirects, unless its monitor says otherwise (decisions §6). */
export const DEFAULT_STATUS_SET = "200-399";

/** Whether the code is in the set. A range written backwards holds nothing. */
export function statusInSet(code: number, set: string): boolean {
  return set.split(",").some((part) => {
    const [low = "", high = low] = part.trim().split("-");
    return code >= Number(low) && code <= Number(high);
  });
}
