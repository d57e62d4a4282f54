/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.web;

import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;

/**
 * Auto-configuration of the response to requests that read a cache before it has synced.
 */
@AutoConfiguration(after = InformerAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnClass(RestControllerAdvice.class)
@ConditionalOnBean(InformerRegistry.class)
public final class InformerWebAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	NotSyncedAdvice informerNotSyncedAdvice() {
		return new NotSyncedAdvice();
	}

	/**
	 * Response of applications with Spring WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	@ConditionalOnClass(DispatcherHandler.class)
	static class ReactiveConfiguration {

		@Bean
		NotSyncedExceptionHandler informerNotSyncedExceptionHandler(
				ObjectProvider<RequestMappingHandlerAdapter> advices,
				ObjectProvider<HandlerResultHandler> resultHandlers) {
			return new NotSyncedExceptionHandler(advices, resultHandlers);
		}

	}

}
