import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/CopyButton.tsx";
import { RangePicker } from "../../components/RangePicker.tsx";
import { Section } from "../../components/Section.tsx";
import { type AssistantClient, clients, type Snippet, snippetsOf } from "./clients.ts";

interface ClientSectionProps {
  url: string;
  /** Null: the key that the reader has already. */
  token: string | null;
}

/** What is put into which program, with the key in its place. */
export function ClientSection({ url, token }: ClientSectionProps) {
  const { t } = useTranslation("settings/assistants");
  const [client, setClient] = useState<AssistantClient>("claude");
  const nameOf = (one: AssistantClient) => t(`clients.${one}.name`);
  const snippets = snippetsOf[client]({ url, key: token ?? t("placeholder") });
  return (
    <Section title={t("connect")}>
      <div className="grid gap-4 px-4 pb-4">
        <div className="flex max-w-full overflow-x-auto">
          <RangePicker
            label={t("connect")}
            options={clients}
            value={client}
            textOf={(one) => ({ short: nameOf(one), long: nameOf(one) })}
            onPick={setClient}
          />
        </div>
        <p className="text-pretty">{t(`clients.${client}.text`)}</p>
        {snippets.map((snippet, at) => (
          <SnippetBox key={at} snippet={snippet} of={nameOf(client)} />
        ))}
        <p className="text-sm text-pretty text-ink-muted">
          {t("fewer", { url: `${url}?resources=incidents,domains` })}
        </p>
      </div>
    </Section>
  );
}

function SnippetBox({ snippet: { place: at, text }, of }: { snippet: Snippet; of: string }) {
  const { t } = useTranslation("settings/assistants");
  const place = typeof at === "object" ? at.file : t(`place.${at}`);
  return (
    <figure className="grid gap-1.5">
      <figcaption className="flex flex-wrap items-center justify-between gap-2 text-sm text-ink-muted">
        <span className="break-all">{place}</span>
        <CopyButton value={text} of={`${of}, ${place}`} variant="quiet" />
      </figcaption>
      <pre className="rounded-md border border-line bg-page px-3 py-2.5 text-xs leading-5 break-all whitespace-pre-wrap">
        {text}
      </pre>
    </figure>
  );
}
