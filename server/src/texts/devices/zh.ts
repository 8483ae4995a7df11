import type { devices as english } from "./en.ts";

export const devices: Record<keyof typeof english, string> = {
  "health.cpu": "处理器五分钟来的占用率为 {percent}%；达到 {limit}% 即为{level:word}。",
  "health.memory": "内存已使用 {percent}%；达到 {limit}% 即为{level:word}。",
  "health.disk": "磁盘 {path} 已使用 {percent}%；达到 {limit}% 即为{level:word}。",
  "health.more": "{problems:count}",
  "problems.one": "另有 {problems} 个问题。",
  "problems.other": "另有 {problems} 个问题。",
  "level.warning": "警告",
  "level.critical": "严重",
  "timeout.agent": "代理已有 {silence:duration}没有上报。",
  "timeout.agent_silent": "代理自 {last:time} 起没有上报。",
  "device.rival": "另一个代理正在用此令牌上报，来自另一台机器或这台机器的副本。每台设备都需要自己的令牌。",
  "device.thresholds": "严重阈值不能低于警告阈值 {warning}%。",
  "link.kind": "{name} 是设备；只有站点和服务可以与设备关联。",
};
