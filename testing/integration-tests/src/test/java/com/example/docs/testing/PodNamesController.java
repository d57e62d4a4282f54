/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.testing;

import java.util.List;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class PodNamesController {

	private final PodNames names;

	PodNamesController(PodNames names) {
		this.names = names;
	}

	@GetMapping("/namespaces/{namespace}/pods")
	List<String> names(@PathVariable String namespace) {
		return this.names.in(namespace);
	}

}
