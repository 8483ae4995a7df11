import { statSync } from "node:fs";
import { readText } from "./read-file.ts";

/** Names of users by number, as /etc/passwd has them; read again when it was changed. */
export class UserNames {
  readonly #path: string;
  #names = new Map<number, string>();
  #readAt = -1;

  constructor(path = "/etc/passwd") {
    this.#path = path;
  }

  /** The number itself where it has no name here, such as those of users inside containers. */
  nameOf(uid: number): string {
    return this.#names.get(uid) ?? String(uid);
  }

  refresh(): void {
    const changedAt = statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (changedAt === this.#readAt) return;
    this.#readAt = changedAt;
    const lines = (readText(this.#path) ?? "").split("\n").map((line) => line.split(":"));
    this.#names = new Map(lines.map(([name = "", , uid]) => [Number(uid), name]));
  }
}
