/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.List;

/**
 * All that the page shows.
 *
 * @param pods the pods
 * @param rollouts how far the Deployments are
 */
record Snapshot(List<PodSummary> pods, List<Rollout> rollouts) {

}
