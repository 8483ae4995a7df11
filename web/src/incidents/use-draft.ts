import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type DraftRequest, type DraftText, draftUpdate } from "../api/incident-pages.ts";
import { inReadersLanguage } from "../i18n/i18n.ts";
import type { Language } from "../i18n/languages.ts";

interface Written {
  texts: readonly DraftText[];
  /** Those of them that were put there. */
  languages: readonly Language[];
  text: string;
  /** What it was made for: another state or other pages need another draft. */
  about: string;
  template: string;
}

interface DraftOptions {
  id: number;
  /** What the update is about, as the form is now. */
  about: Omit<DraftRequest, "template">;
  text: string;
  onText: (text: string) => void;
}

const messagesIn = (texts: readonly DraftText[], languages: readonly Language[]): string =>
  texts
    .filter(({ language }) => languages.includes(language))
    .map(({ message }) => message)
    .join("\n\n");

/** Puts drafts into the form of an update. The text that they replace can be restored. */
export function useDraft({ id, about, text, onText }: DraftOptions) {
  const drafting = useMutation({ mutationFn: (request: DraftRequest) => draftUpdate(id, request) });
  const [written, setWritten] = useState<Written>();
  /** What a draft has replaced; null: nothing. */
  const [typed, setTyped] = useState<string | null>(null);
  const requested = JSON.stringify(about);
  const put = (next: Written) => {
    // A draft in the place of another one replaces nothing that anybody has typed.
    if (text !== written?.text) setTyped(text.trim() === "" ? null : text);
    setWritten(next);
    onText(next.text);
  };
  const forget = () => {
    setTyped(null);
    setWritten(undefined);
    drafting.reset();
  };
  return {
    written,
    isWriting: drafting.isPending,
    error: drafting.error,
    /** The template says nothing in any language of the pages. */
    isMissing: drafting.data?.texts.length === 0,
    /** The form has changed since: the draft may name what the pages do not show. */
    isOld: written !== undefined && written.about !== requested,
    /** Something was replaced, and nothing has been typed since. */
    canUndo: typed !== null && text === written?.text,
    /** `template`: empty for the one that goes with the state. */
    write: (template: string) =>
      drafting.mutate(template === "" ? about : { ...about, template }, {
        onSuccess: ({ texts }) => {
          // A draft has to be read before it is posted.
          const first = inReadersLanguage(texts);
          if (!first) return;
          put({ texts, languages: [first.language], text: first.message, about: requested, template });
        },
      }),
    /** Has it in these languages, one below the other. */
    speak: (languages: readonly Language[]) => {
      if (written) put({ ...written, languages, text: messagesIn(written.texts, languages) });
    },
    undo: () => {
      onText(typed ?? "");
      forget();
    },
    /** For once it is posted. */
    forget,
  };
}

export type Drafting = ReturnType<typeof useDraft>;
