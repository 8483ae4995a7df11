import { EditMonitorPage } from "../form/EditMonitorPage.tsx";
import { NewMonitorPage } from "../form/NewMonitorPage.tsx";
import { serviceForm } from "./service-form.ts";

/** A new service. */
export const NewServicePage = () => <NewMonitorPage form={serviceForm} />;

/** The settings of a service. */
export const EditServicePage = () => <EditMonitorPage form={serviceForm} />;
