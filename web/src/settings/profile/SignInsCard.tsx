import { useQuery } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type SignIn, signInsQuery, useEndOtherSignIns, useEndSignIn } from "../../api/profile.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { Section } from "../../components/Card.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { useFocusBack } from "../../components/focus.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatAgo, formatDate, formatDateTime } from "../../i18n/format.ts";
import { showToast } from "../../toasts.ts";
import { focusSignIns } from "./PasswordDialog.tsx";
import { useDeviceName } from "./use-device-name.ts";

export function SignInsCard() {
  const { t } = useTranslation("settings/profile");
  const query = useQuery(signInsQuery);
  const [ending, setEnding] = useState<SignIn | "others" | null>(null);
  const close = () => setEnding(null);
  const hasOthers = (query.data?.length ?? 0) > 1;
  return (
    <Section
      title={t("signIns.title")}
      trailing={
        hasOthers && (
          <Button variant="quiet" data-opens="sign-ins" onClick={() => setEnding("others")}>
            {t("signIns.endOthers")}
          </Button>
        )
      }
    >
      <p className="px-4 pb-3 text-sm text-pretty text-ink-muted">{t("signIns.text")}</p>
      <Loaded
        of={query}
        failed={t("signIns.failed")}
        loading={<SignInList signIns={undefined} onEnd={setEnding} />}
      >
        {(signIns) => <SignInList signIns={signIns} onEnd={setEnding} />}
      </Loaded>
      {ending === "others" && <EndOthersDialog onClose={close} />}
      {ending !== null && ending !== "others" && <EndDialog signIn={ending} onClose={close} />}
    </Section>
  );
}

function EndDialog({ signIn, onClose }: { signIn: SignIn; onClose: () => void }) {
  const { t } = useTranslation("settings/profile");
  const device = useDeviceName()(signIn);
  const ending = useEndSignIn();
  const done = () => {
    showToast("success", t("signIns.ended", { device }));
    onClose();
  };
  return (
    <ConfirmDialog
      title={t("signIns.endTitle", { device })}
      text={t("signIns.endText")}
      submitLabel={t("signIns.end")}
      busy={ending.isPending}
      error={ending.error}
      onConfirm={() => ending.mutate(signIn, { onSuccess: done })}
      onCancel={onClose}
      onLeft={useFocusBack(focusSignIns)}
    />
  );
}

function EndOthersDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("settings/profile");
  const ending = useEndOtherSignIns();
  const done = () => {
    showToast("success", t("signIns.endedOthers"));
    onClose();
  };
  return (
    <ConfirmDialog
      title={t("signIns.endOthersTitle")}
      text={t("signIns.endOthersText")}
      submitLabel={t("signIns.endOthers")}
      busy={ending.isPending}
      error={ending.error}
      onConfirm={() => ending.mutate(undefined, { onSuccess: done })}
      onCancel={onClose}
      onLeft={useFocusBack(focusSignIns)}
    />
  );
}

interface SignInListProps {
  /** Undefined while they are on their way. */
  signIns: SignIn[] | undefined;
  onEnd: (signIn: SignIn) => void;
}

/** One session a row: with what, from where, when last. */
function SignInList({ signIns, onEnd }: SignInListProps) {
  const { t } = useTranslation(["settings/profile", "shared"]);
  const nameOf = useDeviceName();
  const columns: Column<SignIn>[] = [
    { id: "device", head: t("signIns.deviceHead"), cell: (one) => <Device signIn={one} />, names: true },
    {
      id: "address",
      head: t("signIns.address"),
      cell: ({ address }) => address,
      wide: true,
      width: "w-44",
      className: "wrap-anywhere text-ink-muted",
    },
    {
      id: "seen",
      head: t("signIns.seen"),
      cell: (one) => <LastSeen signIn={one} />,
      wide: true,
      width: "w-36",
      className: "text-ink-muted",
    },
    {
      id: "actions",
      head: <span className="sr-only">{t("shared:table.actions")}</span>,
      cell: (one) =>
        !one.current && (
          <IconButton
            label={t("signIns.endLabel", { device: nameOf(one) })}
            onClick={() => onEnd(one)}
            className="-my-1 -mr-2"
          >
            <LogOut aria-hidden className="size-4" />
          </IconButton>
        ),
      align: "end",
      width: "w-16",
    },
  ];
  const note = (one: SignIn) => (
    <>
      {one.address} · <LastSeen signIn={one} />
    </>
  );
  return <Table columns={columns} rows={signIns} keyOf={({ id }) => id} expected={2} note={note} />;
}

function Device({ signIn }: { signIn: SignIn }) {
  const { t, i18n } = useTranslation("settings/profile");
  const nameOf = useDeviceName();
  const date = formatDate(signIn.createdAt, i18n.language);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 font-medium">
        <span title={signIn.userAgent}>{nameOf(signIn)}</span>
        {signIn.current && (
          <span className="rounded-full border border-line-strong px-2 text-xs font-normal text-ink-muted">
            {t("signIns.current")}
          </span>
        )}
      </div>
      <div className="text-xs text-ink-faint" title={formatDateTime(signIn.createdAt, i18n.language)}>
        {t("signIns.since", { date })}
      </div>
    </>
  );
}

function LastSeen({ signIn: { lastSeenAt } }: { signIn: SignIn }) {
  const { i18n } = useTranslation();
  const now = useNow();
  return (
    <span title={formatDateTime(lastSeenAt, i18n.language)}>
      {formatAgo(now - Date.parse(lastSeenAt), i18n.language)}
    </span>
  );
}
