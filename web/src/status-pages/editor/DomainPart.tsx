import { CircleCheck, CircleDashed, RotateCw, TriangleAlert } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type StatusPage, useChangeStatusPage, useStatusPageAct } from "../../api/status-pages.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout, failureOf } from "../../components/Callout.tsx";
import { Section } from "../../components/Card.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { CopyableText, CopyButton } from "../../components/CopyButton.tsx";
import { Field } from "../../components/Field.tsx";
import { useFocusBack } from "../../components/focus.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { formatDateTime } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { showToast } from "../../toasts.ts";
import { addressOf } from "../SlugField.tsx";
import type { OwnPartProps } from "./page-draft.ts";

type Domain = NonNullable<StatusPage["domain"]>;

/** A host name of the page's own: what has to be set in the DNS for it, and what was found there. */
export function DomainPart({ page, onSaved }: OwnPartProps) {
  const { t } = useTranslation("status-pages/editor");
  const save = useChangeStatusPage(page.id);
  const [host, setHost] = useState(page.customDomain ?? "");
  const [isRemoving, setRemoving] = useState(false);
  const { form, fields, failure } = useFormErrors(save.error, ["customDomain"]);
  const send = (customDomain: string | null) =>
    save.mutate(
      { customDomain },
      {
        onSuccess: (saved) => {
          setHost(saved.customDomain ?? "");
          setRemoving(false);
          showToast("success", t(customDomain === null ? "domain.removed" : "domain.saved"));
          onSaved(saved);
        },
      },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(host.trim() === "" ? null : host.trim());
  };
  return (
    <Section title={t("domain.title")}>
      <div className="grid gap-5 px-4 pb-5">
        <p className="text-sm text-pretty text-ink-muted">{t("domain.text")}</p>
        <form ref={form} onSubmit={submit} noValidate className="grid max-w-3xl gap-3">
          <FailureCallout of={failure} />
          <Field
            label={t("domain.host")}
            hint={t("domain.hostHint")}
            placeholder={t("domain.hostExample")}
            value={host}
            errors={fields["customDomain"]}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setHost(target.value)}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="quiet" busy={save.isPending}>
              {t("domain.save")}
            </Button>
            {page.customDomain !== null && (
              <Button variant="quiet" onClick={() => setRemoving(true)}>
                {t("domain.remove")}
              </Button>
            )}
          </div>
        </form>
        {page.domain && <DomainState page={page} domain={page.domain} onSaved={onSaved} />}
        {isRemoving && (
          <RemoveDomainDialog
            host={page.customDomain ?? ""}
            save={save}
            onConfirm={() => send(null)}
            onCancel={() => setRemoving(false)}
          />
        )}
      </div>
    </Section>
  );
}

const marks = {
  verified: { icon: CircleCheck, look: "text-up-ink" },
  pending: { icon: CircleDashed, look: "text-ink-muted" },
  wrong: { icon: TriangleAlert, look: "text-warn-ink" },
};

function DomainState({ page, domain, onSaved }: OwnPartProps & { domain: Domain }) {
  const { t, i18n } = useTranslation("status-pages/editor");
  const act = useStatusPageAct(page.id);
  const { icon: Icon, look } = marks[domain.state];
  const { checkedAt } = domain;
  return (
    <div className="grid gap-4">
      <p role="status" className={`flex gap-2 font-medium ${look}`}>
        <Icon aria-hidden className="mt-0.75 size-4 shrink-0" />
        {t(`domain.state.${domain.state === "wrong" && domain.isServed ? "leaving" : domain.state}`)}
      </p>
      <ol className="grid gap-4">
        {domain.records.map((record) => (
          <DnsRecord key={record.type} record={record} />
        ))}
      </ol>
      <FailureCallout of={act.error && failureOf(act.error)} />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="quiet"
          busy={act.isPending}
          onClick={() => act.mutate({ act: "checkDomain" }, { onSuccess: onSaved })}
        >
          <RotateCw aria-hidden className="size-4" />
          {t("domain.check")}
        </Button>
        <span className="text-sm text-ink-faint">
          {checkedAt === null
            ? t("domain.unchecked")
            : t("domain.checked", { date: formatDateTime(checkedAt, i18n.language) })}
        </span>
      </div>
    </div>
  );
}

function DnsRecord({ record }: { record: Domain["records"][number] }) {
  const { t } = useTranslation("status-pages/editor");
  const { type, name, value, isFound, found, problem, problemFact } = record;
  const Icon = isFound ? CircleCheck : CircleDashed;
  return (
    <li className="grid gap-2 rounded-md border border-line p-3">
      <p className="flex items-center gap-2 text-sm font-medium">
        <Icon aria-hidden className={`size-4 shrink-0 ${isFound ? "text-up-ink" : "text-ink-faint"}`} />
        {t(isFound ? "domain.found" : "domain.set", { type })}
      </p>
      <dl className="grid gap-2 text-sm sm:grid-cols-[4rem_minmax(0,1fr)] sm:items-center">
        <Value label={t("domain.name")}>{name}</Value>
        <Value label={t("domain.value")}>{value}</Value>
      </dl>
      {problem !== null && (
        <p className="text-sm wrap-anywhere text-warn-ink">{translateMessage(problem, problemFact)}</p>
      )}
      {!isFound && found.length > 0 && (
        <p className="text-sm wrap-anywhere text-ink-muted">
          {t("domain.instead", { found: found.join(", ") })}
        </p>
      )}
    </li>
  );
}

/** What has to be typed somewhere else. */
function Value({ label, children }: { label: string; children: string }) {
  return (
    <>
      <dt className="text-ink-muted">{label}</dt>
      <dd className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
        <CopyableText>{children}</CopyableText>
        <CopyButton variant="quiet" value={children} of={children} />
      </dd>
    </>
  );
}

interface RemoveDomainDialogProps {
  host: string;
  save: Pick<ReturnType<typeof useChangeStatusPage>, "isPending" | "error">;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Confirms before visitors no longer find a page at its own domain. */
function RemoveDomainDialog({ host, save, onConfirm, onCancel }: RemoveDomainDialogProps) {
  const { t } = useTranslation("status-pages/editor");
  return (
    <ConfirmDialog
      title={t("domain.removeTitle", { host })}
      text={t("domain.removeText")}
      submitLabel={t("domain.remove")}
      busy={save.isPending}
      error={save.error}
      onConfirm={onConfirm}
      onCancel={onCancel}
      onLeft={useFocusBack()}
    />
  );
}

/** Where visitors find a page, and what other pages and programs can show of it. */
export function AddressPart({ page }: { page: StatusPage }) {
  const { t } = useTranslation("status-pages/editor");
  const address = addressOf(page);
  const badge = `[![${page.name}](${address}/badge/status.svg)](${address})`;
  const widget = `<script async src="${address}/widget.js" data-theme="auto"></script>`;
  const snippets = [
    ["address", address],
    ["badge", badge],
    ["widget", widget],
    ["atom", `${address}/feed.atom`],
    ["rss", `${address}/feed.rss`],
    ["json", `${address}/feed.json`],
    ["calendar", `${address}/maintenance.ics`],
    ["api", `${address}/api/v2/summary.json`],
  ] as const;
  const shown = snippets.filter(([name]) => isOfUse(name, page));
  return (
    <Section title={t("snippet.title")}>
      <Limits page={page} />
      <dl className="grid gap-4 px-4 pb-5">
        {shown.map(([name, text]) => (
          <div key={name} className="grid gap-1.5">
            <dt className="text-sm font-medium">{t(`snippet.${name}`)}</dt>
            <dd className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
              <CopyableText>{text}</CopyableText>
              <CopyButton variant="quiet" value={text} of={t(`snippet.${name}`)} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

type Access = Pick<StatusPage, "isPublic" | "hasPassword" | "allowedNetworks">;

/** Programs can send a password; embedded pages cannot, and only a member's browser signs in. */
function isOfUse(name: string, { isPublic, hasPassword }: Access): boolean {
  if (!isPublic) return name === "address";
  return !hasPassword || (name !== "badge" && name !== "widget");
}

/** What the page's access takes from its links. */
function Limits({ page: { isPublic, hasPassword, allowedNetworks } }: { page: Access }) {
  const { t } = useTranslation("status-pages/editor");
  const limits = isPublic
    ? [
        ...(hasPassword ? [t("snippet.withPassword")] : []),
        ...(allowedNetworks.length > 0 ? [t("snippet.fromNetworks")] : []),
      ]
    : [t("snippet.forMembers")];
  return limits.map((limit) => (
    <p key={limit} className="px-4 pb-3 text-sm text-pretty text-ink-muted">
      {limit}
    </p>
  ));
}
