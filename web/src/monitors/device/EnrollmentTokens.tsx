import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type EnrollmentToken,
  enrollmentTokensQuery,
  useCreateEnrollmentToken,
  useRevokeEnrollmentToken,
} from "../../api/devices.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { DialogButtons } from "../../components/Dialog.tsx";
import { Field } from "../../components/Field.tsx";
import { useFocusBack } from "../../components/focus.ts";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { useNow } from "../../components/use-now.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { formatDate } from "../../i18n/format.ts";
import { showToast } from "../../toasts.ts";
import { CommandText } from "./DeviceCommand.tsx";

/** Tokens with which machines become devices by themselves: a new one, and those that there are. */
export function EnrollmentTokens({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("monitors/device");
  const creation = useCreateEnrollmentToken();
  if (creation.data) {
    return (
      <div className="mt-4">
        <CommandText option="enroll" token={creation.data.token} />
        <div className="mt-6 flex justify-end gap-2">
          <Button variant="quiet" onClick={creation.reset}>
            {t("enrol.back")}
          </Button>
          <Button onClick={onClose}>{t("enrol.done")}</Button>
        </div>
      </div>
    );
  }
  return (
    <>
      <p className="mt-4 text-sm text-pretty text-ink-muted">{t("enrol.manyText")}</p>
      <TokenForm creation={creation} onClose={onClose} />
      <Tokens />
    </>
  );
}

const dayMs = 86_400_000;
/** Days until the token ends; 0: never. */
const lifetimes = [1, 7, 30, 0] as const;
const usualDays = 7;

interface TokenFormProps {
  creation: ReturnType<typeof useCreateEnrollmentToken>;
  onClose: () => void;
}

function TokenForm({ creation, onClose }: TokenFormProps) {
  const { t } = useTranslation("monitors/device");
  const [days, setDays] = useState<number>(usualDays);
  const { form, fields, failure } = useFormErrors(creation.error, ["name", "expiresAt"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * dayMs).toISOString();
    creation.mutate({ name: textOf(new FormData(event.currentTarget), "name"), expiresAt });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
      <FailureCallout of={failure} />
      <Field
        name="name"
        label={t("enrol.tokenName")}
        hint={t("enrol.tokenHint")}
        errors={fields["name"]}
        autoComplete="off"
      />
      <LabelledSelect
        label={t("enrol.lifetime")}
        value={String(days)}
        errors={fields["expiresAt"]}
        options={lifetimes.map((one) => [
          String(one),
          one === 0 ? t("enrol.never") : t("enrol.days", { count: one }),
        ])}
        onChange={(value) => setDays(Number(value))}
      />
      <DialogButtons onCancel={onClose}>
        <Button type="submit" busy={creation.isPending}>
          {t("enrol.createToken")}
        </Button>
      </DialogButtons>
    </form>
  );
}

function Tokens() {
  const { t } = useTranslation("monitors/device");
  const query = useQuery(enrollmentTokensQuery);
  const [revoking, setRevoking] = useState<EnrollmentToken | null>(null);
  return (
    <section aria-label={t("enrol.tokens")} className="mt-6 border-t border-line pt-4">
      <h3 className="text-sm font-medium">{t("enrol.tokens")}</h3>
      <Loaded
        of={query}
        failed={t("enrol.tokensFailed")}
        loading={<Skeleton className="mt-3 h-3 w-48" />}
        empty={<p className="mt-1.5 text-sm text-ink-faint">{t("enrol.noTokens")}</p>}
      >
        {(tokens) => (
          <ul className="mt-1.5 max-h-56 overflow-y-auto">
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
            ))}
          </ul>
        )}
      </Loaded>
      {revoking && <RevokeDialog token={revoking} onDone={() => setRevoking(null)} />}
    </section>
  );
}

function TokenRow({ token, onRevoke }: { token: EnrollmentToken; onRevoke: () => void }) {
  const { t, i18n } = useTranslation("monitors/device");
  const now = useNow();
  const { name, prefix, devices, expiresAt, userName } = token;
  const isEnded = expiresAt !== null && Date.parse(expiresAt) <= now;
  const date = expiresAt === null ? "" : formatDate(expiresAt, i18n.language);
  const end = expiresAt === null ? t("enrol.never") : t(isEnded ? "enrol.ended" : "enrol.ends", { date });
  return (
    <li className="flex items-center gap-2 border-t border-line py-1.5 first:border-t-0">
      <div className="min-w-0 flex-1">
        <div dir="auto" className="truncate text-sm font-medium">
          {name}
        </div>
        <div className="text-xs wrap-anywhere text-ink-faint">
          {prefix}… · {userName} · {t("enrol.used", { count: devices })} ·{" "}
          <span className={isEnded ? "text-down-ink" : ""}>{end}</span>
        </div>
      </div>
      <IconButton label={t("enrol.revoke", { name })} onClick={onRevoke}>
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
    </li>
  );
}

function RevokeDialog({ token: { id, name }, onDone }: { token: EnrollmentToken; onDone: () => void }) {
  const { t } = useTranslation("monitors/device");
  const revocation = useRevokeEnrollmentToken();
  const confirmDone = () => {
    showToast("success", t("enrol.revoked", { name }));
    onDone();
  };
  return (
    <ConfirmDialog
      title={t("enrol.revokeTitle", { name })}
      text={t("enrol.revokeText")}
      submitLabel={t("enrol.revokeSubmit")}
      busy={revocation.isPending}
      error={revocation.error}
      onConfirm={() => revocation.mutate({ id }, { onSuccess: confirmDone })}
      onCancel={onDone}
      onLeft={useFocusBack()}
    />
  );
}
