/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.web;

import dev.informer.NotSyncedException;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.DispatchExceptionHandler;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Handler that passes a read before the sync in a filter, or one that a functional
 * endpoint throws, to the advices of the application, or else to {@link NotSyncedAdvice}.
 * Spring WebFlux applies them only to what an endpoint returns and to annotated
 * controllers. It precedes the handler of Spring Boot, which has the order -1.
 */
@Order(-2)
class NotSyncedExceptionHandler implements WebExceptionHandler {

	private final ObjectProvider<RequestMappingHandlerAdapter> advices;

	private final ObjectProvider<HandlerResultHandler> resultHandlers;

	NotSyncedExceptionHandler(ObjectProvider<RequestMappingHandlerAdapter> advices,
			ObjectProvider<HandlerResultHandler> resultHandlers) {
		this.advices = advices;
		this.resultHandlers = resultHandlers;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
		DispatchExceptionHandler handler = this.advices.getIfAvailable();
		if (handler == null || !(failure instanceof NotSyncedException) || exchange.getResponse().isCommitted()) {
			return Mono.error(failure);
		}
		return handler.handleError(exchange, failure)
			.flatMap((result) -> this.resultHandlers.orderedStream()
				.filter((candidate) -> candidate.supports(result))
				.findFirst()
				.map((writer) -> writer.handleResult(exchange, result))
				.orElseGet(() -> Mono.error(failure)));
	}

}
