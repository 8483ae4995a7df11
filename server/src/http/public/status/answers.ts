import type { KeptPage } from "../../../page/document/kept-page.ts";
import type { Asked, Rendering } from "../../../page/render/rendering.ts";
import type { RenderOptions } from "../../../page/render/view.ts";
import { keepRecent, type Recent } from "../../../recent.ts";
import { type Answer, answerWith } from "../../answer.ts";

/** Of a page: documents in their languages; and what depends on the query, of which anybody can think of any number. */
const MAX_DOCUMENTS = 300;
const MAX_QUERIED = 100;
const MAX_KEY_LENGTH = 500;

interface Kept {
  documents: Recent<string, Answer>;
  queried: Recent<string, Answer>;
}

const answers = new WeakMap<KeptPage, Kept>();

/** The answer to what was asked of a page, made once for each version of it; null: there is nothing at that address. */
export function answerOf(
  kept: KeptPage,
  rendering: Rendering,
  options: RenderOptions,
  asked: Asked,
): Answer | null {
  const own = answers.get(kept) ?? {
    documents: keepRecent(MAX_DOCUMENTS),
    queried: keepRecent(MAX_QUERIED),
  };
  answers.set(kept, own);
  const known = rendering.query ? own.queried : own.documents;
  const key = JSON.stringify([rendering.path, options, asked]);
  const found = known.get(key);
  if (found) return found;
  const rendered = rendering.render(kept.document, options, asked);
  if (rendered === null) return null;
  const answer = answerWith(rendered.body, { "content-type": rendering.type, ...rendered.headers });
  if (key.length <= MAX_KEY_LENGTH) known.set(key, answer);
  return answer;
}
