import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { monitorQuery } from "../../api/monitor.ts";
import { limitsQuery, type MonitorLimits } from "../../api/monitor-settings.ts";
import { mayWrite, useRole } from "../../api/roles.ts";
import { Callout } from "../../components/Callout.tsx";
import { Card } from "../../components/Card.tsx";
import { together, useFirst } from "../../components/chart-data.ts";
import { Loaded, Refused, Skeleton } from "../../components/Loaded.tsx";
import { type Crumb, PageBar, usePageTitle } from "../../components/PageBar.tsx";
import type { Typed } from "../../forms/body.ts";
import { Select } from "../../forms/Select.tsx";
import { showToast } from "../../toasts.ts";
import { type FormOfKind, KindProvider, useKind, useKindFormTexts, useKindTexts } from "../descriptor.ts";
import { MonitorGone } from "../NothingWatched.tsx";
import { MonitorForm, useFormText } from "./MonitorForm.tsx";

/** Everything about a monitor that is to be watched, before its first check. */
export function NewMonitorPage({ form }: { form: FormOfKind }) {
  return (
    <KindProvider value={form.kind}>
      <NewPage form={form} />
    </KindProvider>
  );
}

function NewPage({ form }: { form: FormOfKind }) {
  const { t } = useTranslation("monitors/form");
  const { pages } = useKind();
  const k = useKindFormTexts();
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { field = "", names = [""], groups = {} } = form.variants ?? {};
  const [variant, setVariant] = useState(names[0] ?? "");
  const [isChosen, setChosen] = useState(false);
  const [typed, setTyped] = useState<Typed>({});
  const text = useFormText(form, variant);
  const limits = useFirst(useQuery(limitsQuery));
  usePageTitle(k("newTitle"));
  const optionsOf = (some: readonly string[]) =>
    some.map((name) => [name, text(`field.${field}.choice.${name}`) ?? name] as const);
  const grouped = Object.values(groups).flat();
  return (
    <FormPage title={k("newTitle")} back={null}>
      <Loaded of={limits} failed={t("failed")} loading={<FormSkeleton />}>
        {(allowed) => (
          <>
            <QuotaCallout limits={allowed} />
            {names.length > 1 && (
              <VariantChoice
                label={text(`field.${field}.label`) ?? field}
                options={optionsOf(names.filter((name) => !grouped.includes(name)))}
                groups={Object.entries(groups).map(([group, own]) => ({
                  label: text(`field.${field}.group.${group}`) ?? group,
                  options: optionsOf(own),
                }))}
                value={variant}
                onChange={(next) => {
                  setVariant(next);
                  setChosen(true);
                }}
              />
            )}
            <MonitorForm
              key={variant}
              form={form}
              variant={variant}
              detail={null}
              start={form.start?.(search)}
              limits={allowed}
              typed={typed}
              onTyped={setTyped}
              // Who goes through the choices by the keyboard stays there.
              focusFirst={!isChosen}
              onDone={(saved) => {
                if (!saved) return;
                showToast("success", t("created", { name: saved.name }));
                void navigate({ to: pages.one, params: { id: String(saved.id) }, replace: true });
              }}
            />
          </>
        )}
      </Loaded>
    </FormPage>
  );
}

interface VariantChoiceProps
  extends Pick<ComponentProps<typeof Select>, "value" | "options" | "groups" | "onChange"> {
  label: string;
}

/** Which of the forms it is. */
function VariantChoice({ label, ...rest }: VariantChoiceProps) {
  const id = useId();
  return (
    <div className="mb-4 grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <Select id={id} {...rest} />
    </div>
  );
}

/** Better before everything is filled in than after. */
function QuotaCallout({ limits: { plan, monitors, monitorsUsed } }: { limits: MonitorLimits }) {
  const { t } = useTranslation("monitors/form");
  if (monitors === null || monitorsUsed < monitors) return null;
  return (
    <div className="mb-4">
      <Callout tone="info">{t("remark.quota", { count: monitors, plan })}</Callout>
    </div>
  );
}

interface FormPageProps {
  title: string;
  /** Where the way back leads: the monitor of that number, or the list. */
  back: { id: number; name: string } | null;
  children: ReactNode;
}

/** The frame of the pages with a monitor's form: one column, as wide as reads well; for those who may change one. */
function FormPage({ title, back, children }: FormPageProps) {
  const k = useKindTexts();
  const { t } = useTranslation("monitors");
  const { pages } = useKind();
  const role = useRole();
  const list: Crumb = { label: k("title"), to: pages.list };
  const crumbs = back ? [list, { label: back.name, to: pages.one, params: { id: String(back.id) } }] : [list];
  return (
    <div className="mx-auto max-w-3xl">
      <PageBar crumbs={crumbs} heading={!back} title={back ? t("action.edit") : title} />
      {back && <h1 className="mb-5 text-xl font-semibold wrap-anywhere">{title}</h1>}
      {mayWrite(role) ? children : <Refused role={role} />}
    </div>
  );
}

function FormSkeleton() {
  return (
    <Card>
      <div aria-hidden className="grid gap-6 p-5">
        {["w-full", "w-full", "w-28"].map((width, at) => (
          <div key={`${at}-${width}`} className="grid gap-2.5">
            <Skeleton className="h-3.5 w-24" />
            <Skeleton className={`h-9 rounded-md ${width}`} />
          </div>
        ))}
      </div>
    </Card>
  );
}

export function EditMonitorPage({ form }: { form: FormOfKind }) {
  return (
    <KindProvider value={form.kind}>
      <EditPage form={form} />
    </KindProvider>
  );
}

function EditPage({ form }: { form: FormOfKind }) {
  const { t } = useTranslation("monitors/form");
  const kind = useKind();
  const k = useKindFormTexts();
  const id = Number(useParams({ strict: false }).id);
  const navigate = useNavigate();
  const stored = useFirst(
    together({ detail: useQuery(monitorQuery(kind, id)), limits: useQuery(limitsQuery) }),
  );
  const name = stored.data?.detail.name ?? "";
  const title = name === "" ? k("editTitleUnnamed") : t("editTitle", { name });
  usePageTitle(title);
  return (
    <FormPage title={title} back={name === "" ? null : { id, name }}>
      <Loaded of={stored} failed={t("failed")} gone={<MonitorGone />} loading={<FormSkeleton />}>
        {(known) => (
          <MonitorForm
            focusFirst={false}
            key={id}
            form={form}
            variant={form.variants ? String(known.detail[form.variants.field as "name"]) : ""}
            {...known}
            onDone={(saved) => {
              if (saved) showToast("success", t("saved", { name: saved.name }));
              void navigate({ to: kind.pages.one, params: { id: String(id) }, replace: true });
            }}
          />
        )}
      </Loaded>
    </FormPage>
  );
}
