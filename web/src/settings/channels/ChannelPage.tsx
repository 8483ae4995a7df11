import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import {
  type Channel,
  channelQuery,
  useResendConfirmation,
  useSaveChannel,
  useTestChannel,
} from "../../api/channels.ts";
import { useMayWrite } from "../../api/roles.ts";
import { Button } from "../../components/Button.tsx";
import { Callout } from "../../components/Callout.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { showToast } from "../../toasts.ts";
import { ChannelBar, useOffWords } from "./ChannelBar.tsx";
import { ChannelForm } from "./ChannelForm.tsx";
import { ChannelLog } from "./ChannelLog.tsx";

export function ChannelPage() {
  const { t } = useTranslation("settings/channels");
  const id = Number(useParams({ strict: false }).id);
  const query = useQuery(channelQuery(id));
  usePageTitle(query.data?.name ?? t("title"));
  return (
    <>
      <ChannelBar title={query.data?.name ?? ""} />
      <Loaded
        of={query}
        failed={t("failedOne")}
        gone={<p className="text-ink-muted">{t("gone")}</p>}
        loading={<Skeleton className="h-64 w-full" />}
      >
        {(channel) => <ChannelView channel={channel} />}
      </Loaded>
    </>
  );
}

function ChannelView({ channel }: { channel: Channel }) {
  const { t } = useTranslation("settings/channels");
  const mayWrite = useMayWrite();
  const { type, target } = channel;
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="min-w-0 py-1.5 wrap-anywhere text-ink-muted">
          {t(`type.${type}` as "type.slack", { defaultValue: type })} · {target}
        </p>
        {mayWrite && channel.confirmed && <TestButton channel={channel} />}
      </div>
      {!channel.enabled && <TurnedOff channel={channel} />}
      {!channel.confirmed && <Unconfirmed channel={channel} />}
      {mayWrite && (
        <ChannelForm
          key={channel.updatedAt}
          type={type}
          channel={channel}
          onDone={(saved) =>
            saved && showToast("success", t(saved.confirmed ? "saved" : "unconfirmed.saved", saved))
          }
        />
      )}
      <ChannelLog channel={channel} />
    </div>
  );
}

/** Who turned it off, why and since when, and a way to turn it on again. */
function TurnedOff({ channel }: { channel: Channel }) {
  const { t } = useTranslation("settings/channels");
  const mayWrite = useMayWrite();
  const words = useOffWords()(channel);
  const saving = useSaveChannel(channel.id);
  // Once it is on, this is unmounted, and with it callbacks passed to `mutate` alone.
  const turnOn = () =>
    void saving.mutateAsync({ enabled: true }).then(
      ({ name }) => showToast("success", t("turnedOn", { name })),
      () => {},
    );
  return (
    <Callout tone={channel.disabledReason === null ? "info" : "error"}>
      <p className="wrap-anywhere">{words}</p>
      {channel.disabledReason === null && <p className="mt-1">{t("offText")}</p>}
      {saving.error && (
        <p className="mt-2 text-down-ink" role="alert">
          {saving.error.message}
        </p>
      )}
      {mayWrite && (
        <Button variant="quiet" className="mt-2.5" busy={saving.isPending} onClick={turnOn}>
          {t("turnOn")}
        </Button>
      )}
    </Callout>
  );
}

/** Says that its address has not been confirmed, with a button to send another request. */
function Unconfirmed({ channel: { id, target } }: { channel: Channel }) {
  const { t } = useTranslation("settings/channels");
  const mayWrite = useMayWrite();
  const request = useResendConfirmation();
  const resend = () =>
    request.mutate({ id }, { onSuccess: () => showToast("success", t("unconfirmed.requested", { target })) });
  return (
    <Callout tone="info">
      <p className="font-medium text-ink">{t("unconfirmed.state")}</p>
      <p className="mt-1 wrap-anywhere">{t("unconfirmed.text", { target })}</p>
      {request.error && (
        <p className="mt-2 text-down-ink" role="alert">
          {request.error.message}
        </p>
      )}
      {mayWrite && (
        <Button variant="quiet" className="mt-2.5" busy={request.isPending} onClick={resend}>
          {t("unconfirmed.again")}
        </Button>
      )}
    </Callout>
  );
}

/** Sends a test message; the answer is shown beneath. */
function TestButton({ channel: { id } }: { channel: Channel }) {
  const { t } = useTranslation("settings/channels");
  const test = useTestChannel();
  const { data, error } = test;
  const answer = error?.message ?? data?.answer;
  return (
    <div className="grid max-w-full gap-2 sm:justify-items-end">
      <Button variant="quiet" busy={test.isPending} className="w-fit" onClick={() => test.mutate({ id })}>
        {t("test")}
      </Button>
      {!test.isPending && answer !== undefined && (
        <Callout tone={data?.accepted ? "info" : "error"}>{answer}</Callout>
      )}
    </div>
  );
}
