import { useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { type FormEvent, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Device, useCreateDevice } from "../../api/devices.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { mayWrite, type Role, useRole } from "../../api/roles.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { Dialog, DialogButtons, focusedAtFirst } from "../../components/Dialog.tsx";
import { Field } from "../../components/Field.tsx";
import { focusPage } from "../../components/focus.ts";
import { Refused } from "../../components/Loaded.tsx";
import { PageBar } from "../../components/PageBar.tsx";
import { RangePicker } from "../../components/RangePicker.tsx";
import { textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { monitorKinds } from "../../kinds.ts";
import type { ListColumn } from "../../list/descriptor.ts";
import type { ListOfKind } from "../descriptor.ts";
import { MonitorsPage } from "../MonitorsPage.tsx";
import { DeviceCommand } from "./DeviceCommand.tsx";
import { EnrollmentTokens } from "./EnrollmentTokens.tsx";
import type english from "./en.json";
import { HourLine, LastSeen, type Measure, UsageBar, UsageMetrics } from "./Usage.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "monitors/device": typeof english;
  }
}

const { pages } = monitorKinds.device;

const list: ListOfKind = {
  kind: monitorKinds.device,
  address: (device: Device) => <Machine device={device} />,
  hasFiles: false,
  statusRem: 11,
  columns: (t) => deviceColumns(t) as unknown as ListColumn<Monitor>[],
  metrics: (device: Device) => <UsageMetrics device={device} />,
  add: (isAlone) => <AddLink className={isAlone ? "" : "md:justify-self-end"} />,
};

export const DevicesPage = () => <MonitorsPage list={list} />;

/** The same, and above them the dialog that adds one. */
export function NewDevicePage() {
  const role = useRole();
  const navigate = useNavigate();
  const close = useCallback(() => void navigate({ to: pages.list }), [navigate]);
  if (!mayWrite(role)) return <MayNotAdd role={role} />;
  return (
    <>
      <DevicesPage />
      <AddDeviceDialog onClose={close} />
    </>
  );
}

function MayNotAdd({ role }: { role: Role }) {
  const { t } = useTranslation("monitors/device");
  return (
    <>
      <PageBar heading title={t("title")} />
      <Refused role={role} />
    </>
  );
}

function deviceColumns(t: (key: string) => string): ListColumn<Device>[] {
  const usage = (id: Measure, rank: number): ListColumn<Device> => ({
    id,
    head: t(`column.${id}`),
    ...(id === "disk" && { hint: t("column.diskHint") }),
    widthRem: 5,
    rank,
    align: "end",
    cell: (device) => <UsageBar device={device} id={id} />,
  });
  return [
    usage("cpu", 1),
    usage("memory", 2),
    usage("disk", 3),
    {
      id: "hour",
      head: t("column.hour"),
      hint: t("column.hourHint"),
      widthRem: 5.5,
      rank: 4,
      cell: (device) => <HourLine device={device} />,
    },
    {
      id: "seen",
      head: t("column.seen"),
      widthRem: 7,
      rank: 5,
      align: "end",
      cell: (device) => <LastSeen device={device} />,
    },
  ];
}

/** Host name and system; nothing before its agent has reported. */
function Machine({ device: { name, hostname, os } }: { device: Device }) {
  const known = [hostname === name ? null : hostname, os].filter(Boolean);
  if (known.length === 0) return null;
  return (
    <div className="truncate text-sm text-ink-faint">
      <bdi>{known.join(" · ")}</bdi>
    </div>
  );
}

function AddLink({ className }: { className: string }) {
  const { t } = useTranslation("monitors/device");
  return (
    <ButtonLink to={pages.add} className={className} data-add-device>
      <Plus aria-hidden className="-ml-0.5 size-4" />
      {t("add")}
    </ButtonLink>
  );
}

const ways = ["one", "many"] as const;
type Way = (typeof ways)[number];

/** Adds a device, or many: each ends with the command for the machine. */
function AddDeviceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("monitors/device");
  const [way, setWay] = useState<Way>("one");
  const creation = useCreateDevice();
  const created = creation.data;
  return (
    <Dialog
      title={t(created ? "enrol.commandTitle" : "enrol.title")}
      onLeft={focusAddLink}
      onClose={onClose}
      isWide
    >
      {created ? (
        <DeviceCommand device={created.device} token={created.token} onClose={onClose} />
      ) : (
        <>
          <div className="mt-4 w-max">
            <RangePicker
              label={t("enrol.how")}
              options={ways}
              value={way}
              textOf={(one) => ({ short: t(`enrol.${one}`), long: t(`enrol.${one}`) })}
              onPick={setWay}
            />
          </div>
          {way === "one" ? (
            <NameForm creation={creation} onClose={onClose} />
          ) : (
            <EnrollmentTokens onClose={onClose} />
          )}
        </>
      )}
    </Dialog>
  );
}

/** The link that leads here, where it is rendered. */
const focusAddLink = () => {
  const link = document.querySelector<HTMLElement>("[data-add-device]");
  if (link) link.focus();
  else focusPage();
};

interface NameFormProps {
  creation: ReturnType<typeof useCreateDevice>;
  onClose: () => void;
}

function NameForm({ creation, onClose }: NameFormProps) {
  const { t } = useTranslation("monitors/device");
  const { form, fields, failure } = useFormErrors(creation.error, ["name"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    creation.mutate({ name: textOf(new FormData(event.currentTarget), "name") });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
      <FailureCallout of={failure} />
      <Field
        ref={focusedAtFirst}
        name="name"
        label={t("enrol.name")}
        hint={t("enrol.nameHint")}
        errors={fields["name"]}
        autoComplete="off"
      />
      <DialogButtons onCancel={onClose}>
        <Button type="submit" busy={creation.isPending}>
          {t("enrol.create")}
        </Button>
      </DialogButtons>
    </form>
  );
}
