import { EditMonitorPage } from "../form/EditMonitorPage.tsx";
import { deviceForm } from "./device-form.ts";

/** The settings of a device. */
export const EditDevicePage = () => <EditMonitorPage form={deviceForm} />;
