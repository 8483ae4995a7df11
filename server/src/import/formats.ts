import { csv } from "./csv.ts";
import type { FileFormat } from "./file-entry.ts";
import type { FormatName } from "./format-names.ts";
import { gatus } from "./gatus.ts";
import { uptimeKuma } from "./uptime-kuma.ts";
import { urlList } from "./url-list.ts";
import { vedette } from "./vedette.ts";

/** Every format of files; adding one is a file, a line here and its name. They are tried in this order. */
export const FILE_FORMATS: Readonly<Record<FormatName, FileFormat>> = {
  vedette,
  kuma: uptimeKuma,
  gatus,
  csv,
  urls: urlList,
};
