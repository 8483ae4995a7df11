/** Why a job that tells how it is doing is down, and why its schedule is refused, in English (see ../en.ts for the slots). */
export const heartbeats = {
  "timeout.heartbeat":
    "No heartbeat came in time: one is expected every {interval:duration}, with {grace:duration} of grace.",
  "timeout.silent":
    "No heartbeat since {last:time}: one is expected every {interval:duration}, with {grace:duration} of grace.",
  "timeout.exit":
    "The job ended with exit code {exit} at {last:time}; no heartbeat since: one is expected every {interval:duration}, with {grace:duration} of grace.",
  "timeout.failed":
    "The job reported at {last:time} that it failed; no heartbeat since: one is expected every {interval:duration}, with {grace:duration} of grace.",
  "timeout.due":
    "No heartbeat for the run that was due at {due:time}, nor in the {grace:duration} of grace after it.",
  "timeout.overdue":
    "No heartbeat for the run that was due at {due:time}, nor in the {grace:duration} of grace after it. The last one came at {last:time}.",
  "timeout.exit_overdue":
    "The job ended with exit code {exit} at {last:time}; no heartbeat since: a run was due at {due:time}, with {grace:duration} of grace.",
  "timeout.failed_overdue":
    "The job reported at {last:time} that it failed; no heartbeat since: a run was due at {due:time}, with {grace:duration} of grace.",
  "timeout.run": "The run that started at {start:time} has not ended: it may take {limit:duration}.",
  "job.failed": "The job reported that it failed.",
  "job.exit": "The job ended with exit code {exit}.",
  "input.cron":
    "The schedule must be a cron expression of five fields (minute, hour, day, month, day of the week), such as 0 3 * * *.",
  "input.cron_never": "This cron expression never fires: no such day exists.",
  "interval.cron":
    "The {plan} plan allows at most one run every {limit} seconds; this cron expression fires every {interval} seconds.",
} as const;
