/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.web;

import dev.informer.NotSyncedException;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Advice that answers requests with 503 while a cache that they read has not synced. For
 * Spring MVC and Spring WebFlux; handlers of the application take precedence.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class NotSyncedAdvice {

	/** Seconds in which an informer recovers from most failures. */
	private static final String RETRY_AFTER = "5";

	@ExceptionHandler
	ResponseEntity<ProblemDetail> notSynced(NotSyncedException exception) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE,
				"The cache of the informer '" + exception.informer() + "' has not synced yet.");
		return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
			.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER)
			.body(problem);
	}

}
