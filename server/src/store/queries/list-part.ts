/** The part of a list that is read, and in which order. */
export interface ListPart {
  limit: number;
  offset: number;
  /** By the time of its items: `desc` is the newest first. */
  way: "asc" | "desc";
}
