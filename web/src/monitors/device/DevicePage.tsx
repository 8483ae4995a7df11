import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { ChartLine, KeyRound, Table, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { isGone } from "../../api/client.ts";
import { type Charted, chartedMetrics } from "../../api/device-metrics.ts";
import { type DeviceDetail, useNewToken } from "../../api/devices.ts";
import { monitorQuery, ranges } from "../../api/monitor.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { listedMonitors, useDeleteMonitor } from "../../api/monitors.ts";
import { useMayWrite } from "../../api/roles.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { FailureCallout, failureOf } from "../../components/Callout.tsx";
import { Section } from "../../components/Card.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { Dialog, DialogButtons, focusedAtFirst } from "../../components/Dialog.tsx";
import { Field } from "../../components/Field.tsx";
import { useFocusBack } from "../../components/focus.ts";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../../components/PageBar.tsx";
import { RangePicker } from "../../components/RangePicker.tsx";
import { textOf } from "../../components/use-form-errors.ts";
import { monitorKinds } from "../../kinds.ts";
import { showToast } from "../../toasts.ts";
import { KindProvider, useKindTexts } from "../descriptor.ts";
import { HistoryCard } from "../detail/HistoryCard.tsx";
import { ActButtons } from "../detail/MonitorActions.tsx";
import { MonitorHeader, MonitorHeaderSkeleton } from "../detail/MonitorHeader.tsx";
import { useRange } from "../detail/use-range.ts";
import { MonitorGone } from "../NothingWatched.tsx";
import { DeviceChart } from "./DeviceChart.tsx";
import { CommandText } from "./DeviceCommand.tsx";
import { DeviceNotes } from "./DeviceNotes.tsx";
import { ListsCard } from "./ListsCard.tsx";
import { MachineCard } from "./MachineCard.tsx";

const { device: kind } = monitorKinds;

export const DevicePage = () => (
  <KindProvider value={kind}>
    <Page />
  </KindProvider>
);

function Page() {
  const k = useKindTexts();
  const mayWrite = useMayWrite();
  const id = Number(useParams({ strict: false }).id);
  const query = useQuery(monitorQuery(kind, id));
  const client = useQueryClient();
  const listed = listedMonitors(client, kind.id).find((each) => each.id === id);
  const monitor: Monitor | undefined = query.data ?? listed;
  const isThere = monitor !== undefined && !isGone(query.error);
  usePageTitle(monitor?.name ?? k("title"));
  return (
    <>
      <PageBar
        crumbs={[{ label: k("title"), to: kind.pages.list }]}
        title={monitor?.name ?? (query.error ? `#${id}` : "")}
      >
        {mayWrite && isThere && <DeviceActions monitor={monitor} />}
      </PageBar>
      {isThere && <MonitorHeader monitor={monitor} address={null} description={query.data?.description} />}
      {!monitor && !query.error && <MonitorHeaderSkeleton />}
      <Loaded of={query} failed={k("failedOne")} gone={<MonitorGone />} loading={<CardsSkeleton />}>
        {(detail) => <Cards key={id} device={detail as unknown as DeviceDetail} />}
      </Loaded>
    </>
  );
}

function Cards({ device }: { device: DeviceDetail }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DeviceNotes device={device} />
      <MachineCard device={device} />
      <ChartsCard device={device} />
      <ListsCard id={device.id} />
      <HistoryCard id={device.id} />
    </div>
  );
}

const CardsSkeleton = () => (
  <div aria-hidden className="grid gap-4">
    <Skeleton className="h-40 rounded-lg opacity-50" />
    <Skeleton className="h-96 rounded-lg opacity-50" />
  </div>
);

function DeviceActions({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation(["monitors/device", "monitors"]);
  const [open, setOpen] = useState<"token" | "delete" | null>(null);
  const navigate = useNavigate();
  const close = () => setOpen(null);
  return (
    <>
      <ActButtons monitor={monitor}>
        <Button variant="quiet" onClick={() => setOpen("token")}>
          <KeyRound aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
          <span className="max-sm:sr-only">{t("page.token")}</span>
        </Button>
        <Button variant="quiet" onClick={() => setOpen("delete")}>
          <Trash2 aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
          <span className="max-sm:sr-only">{t("monitors:action.delete")}</span>
        </Button>
      </ActButtons>
      {open === "token" && <NewTokenDialog device={monitor} onClose={close} />}
      {open === "delete" && (
        <DeleteDeviceDialog
          device={monitor}
          onClose={close}
          onDeleted={() => void navigate({ to: monitorKinds.device.pages.list })}
        />
      )}
    </>
  );
}

interface NewTokenDialogProps {
  device: Pick<Monitor, "id" | "name">;
  onClose: () => void;
}

/** Confirms, as the old token ends at once; then the command with the new one. */
function NewTokenDialog({ device: { id, name }, onClose }: NewTokenDialogProps) {
  const { t } = useTranslation("monitors/device");
  const renewal = useNewToken(id);
  const onLeft = useFocusBack();
  if (renewal.data === undefined) {
    return (
      <ConfirmDialog
        title={t("newToken.title", { name })}
        text={t("newToken.text")}
        submitLabel={t("newToken.submit")}
        busy={renewal.isPending}
        error={renewal.error}
        onConfirm={() => renewal.mutate()}
        onCancel={onClose}
        onLeft={onLeft}
      />
    );
  }
  return (
    <Dialog title={t("newToken.doneTitle", { name })} onLeft={onLeft} onClose={onClose} isWide>
      <CommandText option="token" token={renewal.data} />
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>{t("enrol.done")}</Button>
      </div>
    </Dialog>
  );
}

const charts = Object.keys(chartedMetrics) as Charted[];

/** What the machine was doing: four charts with one range, one zoom and one cursor. */
function ChartsCard({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(["monitors/device", "monitors"]);
  const shown = useRange(device.createdAt);
  const [asTable, setAsTable] = useState(false);
  const Icon = asTable ? ChartLine : Table;
  return (
    <Section
      title={t("chart.title")}
      trailing={
        <div className="flex items-center gap-1.5">
          <RangePicker
            label={t("monitors:response.range")}
            options={ranges}
            value={shown.range}
            textOf={(one) => ({
              short: t(`monitors:response.ranges.${one}.short`),
              long: t(`monitors:response.ranges.${one}.long`),
            })}
            onPick={shown.chooseRange}
          />
          <IconButton
            label={t(asTable ? "monitors:response.showChart" : "monitors:response.showTable")}
            onClick={() => setAsTable(!asTable)}
          >
            <Icon aria-hidden className="size-4" />
          </IconButton>
        </div>
      }
    >
      <div className="grid gap-x-8 gap-y-6 px-4 pt-2 pb-4 lg:grid-cols-2">
        {charts.map((charted) => (
          <DeviceChart key={charted} device={device} charted={charted} shown={shown} asTable={asTable} />
        ))}
      </div>
    </Section>
  );
}

interface DeleteDeviceDialogProps {
  device: Pick<Monitor, "id" | "name">;
  onClose: () => void;
  onDeleted: () => void;
}

/** Deletes it once its name has been typed. */
function DeleteDeviceDialog({ device: { id, name }, onClose, onDeleted }: DeleteDeviceDialogProps) {
  const { t } = useTranslation(["monitors/device", "shared"]);
  const deletion = useDeleteMonitor(monitorKinds.device);
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const isRight = textOf(new FormData(event.currentTarget), "confirmation").trim() === name.trim();
    setWrong(!isRight);
    if (!isRight) return;
    const confirmDone = () => {
      showToast("success", t("delete.done", { name }));
      onDeleted();
    };
    deletion.mutate({ id }, { onSuccess: confirmDone });
  };
  return (
    <Dialog
      title={t("delete.title", { name })}
      text={t("delete.text")}
      onLeft={useFocusBack()}
      onClose={onClose}
    >
      <form onSubmit={submit} noValidate className="mt-4 grid gap-5">
        {deletion.error && <FailureCallout of={failureOf(deletion.error)} />}
        <Field
          ref={focusedAtFirst}
          name="confirmation"
          label={t("delete.type", { name })}
          {...(isWrong && { errors: [t("delete.wrong")] })}
          autoComplete="off"
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" variant="danger" busy={deletion.isPending}>
            {t("shared:action.delete")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
