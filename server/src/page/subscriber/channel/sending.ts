import type { OpenDelivery } from "../../../notification/transport.ts";
import type { Subscriber } from "../../../store/queries/subscribers.ts";
import { excerpt } from "../../../texts/fact.ts";
import { wordsFor } from "../../render/words.ts";
import type { PageNews } from "../news.ts";
import { type NewsPage, type NewsWords, newsWords } from "../news-words.ts";

/** Something to send to a subscriber. */
export interface Sending {
  subscriber: Subscriber;
  delivery: Pick<OpenDelivery, "uuid" | "createdAt">;
  page: NewsPage;
  /** Null: the question whether they want any. */
  news: PageNews | null;
  /** Null: there is nothing to confirm. */
  confirmUrl: string | null;
  manageUrl: string;
  endUrl: string;
}

interface SaidWords extends Omit<NewsWords, "parts"> {
  /** In plain text, one below the other. */
  texts: string[];
  /** The same as HTML; null: there are no more than lines. */
  html: string | null;
  ending: string | null;
}

/** What is sent, in its reader's words. `nameAs`: how a page's name stands in the text of a question, which its readers may not know. */
export function wordsOf(
  { subscriber, page, news, confirmUrl, manageUrl }: Sending,
  nameAs: (name: string) => string = (name) => name,
): SaidWords {
  const { language } = subscriber;
  if (news) {
    const { parts, ...words } = newsWords(page, news, language);
    const html = parts.map((part) => part.html.text).join("");
    return { ...words, texts: parts.map(({ text }) => text), html, ending: null };
  }
  const { say } = wordsFor(language, page.timeZone);
  const name = excerpt(page.name);
  const named = { page: nameAs(name) };
  const kind = confirmUrl === null ? "known" : "question";
  return {
    title: say(`${kind}.subject`, { page: name }),
    texts: [say(`${kind}.text`, named)],
    html: null,
    label: say(`${kind}.action`),
    url: confirmUrl ?? manageUrl,
    ending: kind === "question" ? say("question.ending") : null,
  };
}
