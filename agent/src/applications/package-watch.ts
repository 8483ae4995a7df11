import { statSync } from "node:fs";

/** What package managers change when they are done; rpm's older and newer databases, a folder for pacman and snap. */
const PLACES = [
  "/var/lib/dpkg/status",
  "/var/lib/rpm/rpmdb.sqlite",
  "/usr/lib/sysimage/rpm/rpmdb.sqlite",
  "/var/lib/rpm/Packages",
  "/lib/apk/db/installed",
  "/var/lib/pacman/local",
  "/var/lib/flatpak/.changed",
  "/var/lib/snapd/snaps",
];

/** Finds when applications came or went between two lists, which are hours apart, by when the package managers' files were written. */
export class PackageWatch {
  readonly #places: readonly string[];
  /** As it was when what is installed was listed last; null: before the first time. */
  #listed: string | null = null;
  #seen = "";

  constructor(places: readonly string[] = PLACES) {
    // One that is installed later is seen with the next list.
    this.#places = places.filter((path) => writtenAt(path) !== null);
  }

  /** Whether a list made now would be another one: something was written, and nothing since the look before. */
  hasChanged(): boolean {
    const now = this.#look();
    const isUnchanged = now === this.#seen;
    this.#seen = now;
    this.#listed ??= now;
    return isUnchanged && now !== this.#listed;
  }

  /** What is installed is listed now. */
  note(): void {
    this.#listed = this.#look();
    this.#seen = this.#listed;
  }

  #look(): string {
    return this.#places.map(writtenAt).join();
  }
}

const writtenAt = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
