/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Controller for pods.
 */
@RestController
class PodsController {

	private final Pods pods;

	PodsController(Pods pods) {
		this.pods = pods;
	}

	@GetMapping("/pods")
	List<PodSummary> pods(@RequestParam(required = false) @Nullable String node) {
		return (node != null) ? this.pods.onNode(node) : this.pods.all();
	}

}
