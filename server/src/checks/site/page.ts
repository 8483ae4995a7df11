import { msg } from "../../platform/i18n/message.ts";
import type { StopSignal } from "../deadline.ts";
import { followHops } from "../http/http-hops.ts";
import { composeRequest, parseHttpUrl, unfitOf } from "../http/http-request.ts";
import type { Network } from "../network.ts";
import type { Reason } from "../reasons.ts";

export interface PageOptions {
  /** Of the decoded body; what is beyond is left out. */
  maxBytes: number;
  /** For everything together, redirects included. */
  timeoutMs: number;
  /** The Accept header; default: anything. */
  accept?: string;
  /** The purpose, which the server sees in the user agent; default: a page's title and icon. */
  purpose?: string;
  signal?: StopSignal;
}

export interface Page {
  /** Where the redirects ended. */
  url: string;
  statusCode: number;
  /** Names in lower case; several of a name joined by a comma. */
  headers: ReadonlyMap<string, string>;
  /** Decompressed. */
  body: Buffer;
  /** Whether the body was longer than `maxBytes`. */
  cut: boolean;
}

export class PageError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason.code);
    this.name = "PageError";
    this.reason = reason;
  }
}

const PURPOSE = "page title and icon";

/**
 * Like a check: guard at every hop, at most ten redirects, valid certificates only. Any status code is an
 * answer. Throws PageError.
 */
export function fetchPage(url: string, network: Network, options: PageOptions): Promise<Page> {
  return new Promise((resolve, reject) => {
    followHops(
      pageRequest(url, options.accept ?? "*/*", options.purpose ?? PURPOSE),
      {
        network,
        timeoutMs: options.timeoutMs,
        signal: options.signal,
        followRedirects: true,
        ignoreCertificate: false,
        // Resolved anew each time: the duration must not reveal which names were known already.
        resolveSinceMs: performance.now(),
        bodyLimit: () => ({ bytes: options.maxBytes, purpose: "text", enough: null }),
      },
      ({ answer, decoded, failure, url: last }) => {
        if (answer === null || failure !== null) {
          reject(new PageError(failure ?? msg("internal.error")));
          return;
        }
        const headers = answer.headers();
        const { body, cut } = decoded ?? { body: Buffer.alloc(0), cut: false };
        resolve({ url: last.href, statusCode: answer.statusCode, headers, body, cut });
      },
      reject,
    );
  });
}

function pageRequest(text: string, accept: string, purpose: string) {
  try {
    const url = parseHttpUrl(text);
    url.username = "";
    url.password = "";
    const headers: [string, string][] = [
      ["user-agent", `Vedette/0.1 (${purpose})`],
      ["accept", accept],
      ["accept-encoding", "gzip, deflate, br, zstd"],
    ];
    return composeRequest(url, "GET", headers, null);
  } catch (error) {
    throw new PageError(msg("internal.request", unfitOf(error)));
  }
}
