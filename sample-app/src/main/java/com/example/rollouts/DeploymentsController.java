/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.List;

import dev.informer.Lister;
import dev.informer.NamespaceNotWatchedException;
import io.kubernetes.client.openapi.models.V1Deployment;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Controller for the pods of a Deployment.
 */
@RestController
class DeploymentsController {

	private final Lister<V1Deployment> deployments;

	private final Pods pods;

	DeploymentsController(Lister<V1Deployment> deployments, Pods pods) {
		this.deployments = deployments;
		this.pods = pods;
	}

	@GetMapping("/deployments/{namespace}/{name}/pods")
	List<PodSummary> pods(@PathVariable String namespace, @PathVariable String name) {
		return this.deployments.get(namespace, name)
			.map(this.pods::of)
			.orElseThrow(() -> new DeploymentNotFoundException(namespace, name));
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> notWatched(NamespaceNotWatchedException exception) {
		return ResponseEntity.of(ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, exception.getMessage()))
			.build();
	}

}
