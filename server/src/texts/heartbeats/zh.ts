import type { heartbeats as english } from "./en.ts";

/** Why a job that tells how it is doing is down, and why its schedule is refused, in Chinese; see en.ts. */
export const heartbeats: Readonly<Record<keyof typeof english, string>> = {
  "timeout.heartbeat": "没有按时收到心跳：每 {interval:duration}应有一次，宽限 {grace:duration}。",
  "timeout.silent": "自 {last:time} 起没有收到心跳：每 {interval:duration}应有一次，宽限 {grace:duration}。",
  "timeout.exit":
    "任务于 {last:time} 以退出码 {exit} 结束，此后没有收到心跳：每 {interval:duration}应有一次，宽限 {grace:duration}。",
  "timeout.failed":
    "任务于 {last:time} 报告自己失败，此后没有收到心跳：每 {interval:duration}应有一次，宽限 {grace:duration}。",
  "timeout.due": "应于 {due:time} 运行的任务没有发来心跳，之后 {grace:duration}的宽限期内也没有。",
  "timeout.overdue":
    "应于 {due:time} 运行的任务没有发来心跳，之后 {grace:duration}的宽限期内也没有。上一次心跳在 {last:time}。",
  "timeout.exit_overdue":
    "任务于 {last:time} 以退出码 {exit} 结束，此后没有收到心跳：应于 {due:time} 运行，宽限 {grace:duration}。",
  "timeout.failed_overdue":
    "任务于 {last:time} 报告自己失败，此后没有收到心跳：应于 {due:time} 运行，宽限 {grace:duration}。",
  "timeout.run": "{start:time} 开始的运行尚未结束：最长允许 {limit:duration}。",
  "job.failed": "任务报告自己失败了。",
  "job.exit": "任务以退出码 {exit} 结束。",
  "input.cron": "计划必须是由五个字段（分、时、日、月、星期）组成的 cron 表达式，例如 0 3 * * *。",
  "input.cron_never": "该 cron 表达式永远不会触发：不存在这样的日期。",
  "interval.cron": "{plan} 套餐最多每 {limit} 秒运行一次；该 cron 表达式每 {interval} 秒触发一次。",
};
