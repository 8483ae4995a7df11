#!/usr/bin/env node
console.log("vedette");
