#!/bin/sh
# Install the programs that the IAM benchmark is compared with, each into an environment of its own below .cache. Both are AGPL: they are
# run as programs, and nothing of them is part of partywall.
set -eu
cd "$(dirname "$0")/../.."
python3 -m venv .cache/peers/pmapper
.cache/peers/pmapper/bin/pip install --quiet principalmapper==1.1.5
[ -f .cache/node/node_modules/@cloud-copilot/iam-simulate/package.json ] ||
    npm install --prefix .cache/node --no-audit --no-fund --ignore-scripts --loglevel=error @cloud-copilot/iam-simulate@0.1.173
