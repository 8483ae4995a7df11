import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { useCreateApiKey } from "../../api/api-keys.ts";
import { useMayWrite } from "../../api/roles.ts";
import { Button } from "../../components/Button.tsx";
import { CopyableText, CopyButton } from "../../components/CopyButton.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Section } from "../../components/Section.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";

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
export function KeySection({ token, onMade }: KeySectionProps) {
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
    <Section title={t("key")} aside={copy}>
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
            <FailureNotice of={failure} />
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
