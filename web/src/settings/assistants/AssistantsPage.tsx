import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { useCreateApiKey } from "../../api/api-keys.ts";
import { useHasExpertPlan } from "../../api/organization.ts";
import { useMayWrite } from "../../api/roles.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { Section } from "../../components/Card.tsx";
import { CopyableText, CopyButton } from "../../components/CopyButton.tsx";
import { RefusedByPlan } from "../../components/Loaded.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { RangePicker } from "../../components/RangePicker.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { type AssistantClient, clients, type Snippet, snippetsOf } from "./clients.ts";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/assistants": typeof english;
  }
}

/** How an assistant is connected: where to, with which key, and what to put into which program. */
export function AssistantsPage() {
  const { t } = useTranslation("settings/assistants");
  usePageTitle(t("title"));
  const [token, setToken] = useState<string | null>(null);
  // A key can be made in smaller plans, too, and would be refused at the address.
  if (!useHasExpertPlan()) return <RefusedByPlan />;
  const url = `${window.location.origin}/mcp`;
  return (
    <div className="grid gap-4">
      <p className="text-pretty text-ink-muted">{t("text")}</p>
      <Section title={t("address")} trailing={<CopyButton value={url} of={t("address")} variant="quiet" />}>
        <div className="px-4 pb-4">
          <CopyableText>{url}</CopyableText>
        </div>
      </Section>
      <KeySection token={token} onMade={setToken} />
      <ClientSection url={url} token={token} />
    </div>
  );
}

interface ClientSectionProps {
  url: string;
  /** Null: the key that the reader has already. */
  token: string | null;
}

/** What is put into which program, with the key in its place. */
function ClientSection({ url, token }: ClientSectionProps) {
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

const dayMs = 86_400_000;
const lastsDays = 90;
/** What an assistant may do; a key never reaches further than its person's role. */
const rights = {
  read: ["read:*", "write:toolbox"],
  act: ["read:*", "write:incidents", "write:maintenance", "write:toolbox"],
  all: ["*:*"],
} as const;
type Rights = keyof typeof rights;

const keysLink = <Link to="/settings/api-keys" className="rounded-sm underline underline-offset-4" />;

interface KeySectionProps {
  /** Of the key that was made here; null: none was. */
  token: string | null;
  onMade: (token: string) => void;
}

/** Makes the key that an assistant calls with, and shows it this once. */
function KeySection({ token, onMade }: KeySectionProps) {
  const { t } = useTranslation("settings/assistants");
  const creation = useCreateApiKey();
  const [right, setRight] = useState<Rights>("read");
  const { failure } = useFormErrors(creation.error, []);
  const mayWrite = useMayWrite();
  const make = () => {
    const expiresAt = new Date(Date.now() + lastsDays * dayMs).toISOString();
    creation.mutate(
      { name: t("keyName"), scopes: [...rights[right]], expiresAt, allOrganizations: false },
      { onSuccess: (key) => onMade(key.token) },
    );
  };
  // The button that made it is gone with it.
  const copyButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (token !== null) copyButton.current?.focus();
  }, [token]);
  const copy = token !== null && (
    <CopyButton ref={copyButton} value={token} label={t("copyKey")} variant="quiet" />
  );
  return (
    <Section title={t("key")} trailing={copy}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pb-4">
        {token === null ? (
          <>
            <p className="text-pretty text-ink-muted">
              {mayWrite ? (
                <Trans t={t} i18nKey="keyText" components={{ keys: keysLink }} />
              ) : (
                t("keyReadOnly")
              )}
            </p>
            <FailureCallout of={failure} />
            {mayWrite && (
              <div className="flex flex-wrap items-end gap-3">
                <div className="w-88 max-w-full">
                  <LabelledSelect
                    label={t("rights")}
                    value={right}
                    isWide
                    options={[
                      ["read", t("rightsRead")],
                      ["act", t("rightsAct")],
                      ["all", t("rightsAll")],
                    ]}
                    onChange={(value) => setRight(value as Rights)}
                  />
                </div>
                <Button busy={creation.isPending} onClick={make}>
                  {t("make")}
                </Button>
              </div>
            )}
          </>
        ) : (
          <>
            <p role="status" className="text-pretty text-ink-muted">
              {t("keyMade")}
            </p>
            <CopyableText>{token}</CopyableText>
          </>
        )}
      </div>
    </Section>
  );
}
