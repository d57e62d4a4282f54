/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.List;

/**
 * State of the page.
 *
 * @param pods the pods
 * @param rollouts the rollouts of the Deployments
 */
record Snapshot(List<PodSummary> pods, List<Rollout> rollouts) {

}
