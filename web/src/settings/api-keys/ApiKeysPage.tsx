import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type ApiKey, apiKeysQuery, type CreatedApiKey, useDeleteApiKey } from "../../api/api-keys.ts";
import { useMayWrite } from "../../api/roles.ts";
import { Button } from "../../components/Button.tsx";
import { Card } from "../../components/Card.tsx";
import { DeleteDialog } from "../../components/ConfirmDialog.tsx";
import { CopyDialog } from "../../components/CopyButton.tsx";
import { EmptyState, Loaded } from "../../components/Loaded.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { CreateKeyDialog } from "./CreateKeyDialog.tsx";
import type english from "./en.json";
import { focusCreateButton, KeyList } from "./KeyList.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/api-keys": typeof english;
  }
}

export function ApiKeysPage() {
  const { t } = useTranslation("settings/api-keys");
  usePageTitle(t("title"));
  const query = useQuery(apiKeysQuery);
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const [deleting, setDeleting] = useState<ApiKey | null>(null);
  const canWrite = useMayWrite();
  const create = canWrite && (
    <Button onClick={() => setCreating(true)} data-create-key>
      <Plus aria-hidden className="-ml-0.5 size-4" />
      {t("create")}
    </Button>
  );
  return (
    <>
      <div className="mb-4 flex min-h-9 flex-wrap items-center justify-between gap-4">
        <p className="text-pretty text-ink-muted">{t("text")}</p>
        {query.data && query.data.length > 0 && create}
      </div>
      <Card>
        <Loaded
          of={query}
          failed={t("failed")}
          loading={<KeyList keys={undefined} onDelete={setDeleting} />}
          empty={
            <EmptyState
              icon={<KeyRound aria-hidden className="size-7" strokeWidth={1.25} />}
              title={t("empty.title")}
              text={t(canWrite ? "empty.text" : "empty.readOnly")}
            >
              {create}
            </EmptyState>
          }
        >
          {(keys) => <KeyList keys={keys} {...(canWrite && { onDelete: setDeleting })} />}
        </Loaded>
      </Card>
      {creating && (
        <CreateKeyDialog
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {created && <TokenDialog apiKey={created} onClose={() => setCreated(null)} />}
      {deleting && <DeleteKeyDialog apiKey={deleting} onDone={() => setDeleting(null)} />}
    </>
  );
}

/** The token of a new key, this once. */
function TokenDialog({ apiKey, onClose }: { apiKey: CreatedApiKey; onClose: () => void }) {
  const { t } = useTranslation("settings/api-keys");
  return (
    <CopyDialog
      title={t("createdTitle", { name: apiKey.name })}
      text={t("createdText")}
      value={apiKey.token}
      copyLabel={t("copy")}
      doneLabel={t("createdDone")}
      onLeft={focusCreateButton}
      onClose={onClose}
    />
  );
}

function DeleteKeyDialog({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const { t } = useTranslation("settings/api-keys");
  const { id, name } = apiKey;
  const words = {
    title: t("delete.title", { name }),
    text: t("delete.text"),
    done: t("delete.done", { name }),
  };
  const deletion = useDeleteApiKey();
  return (
    <DeleteDialog
      id={id}
      words={words}
      deletion={deletion}
      focusInstead={focusCreateButton}
      onDone={onDone}
    />
  );
}
