/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HandlerInterceptor}.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class HandlerInterceptorTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final List<String> story = new CopyOnWriteArrayList<>();

	@Test
	void interceptor_wrapsEveryAttempt() throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
				InformerFactory informers = InformerFactory.create(() -> new ApiClient().setBasePath(kubernetes.url()),
						(settings) -> settings.interceptor(this::intercept).addListener(new Listener()))) {
			kubernetes.create(Map.of("apiVersion", "v1", "kind", "Node", "metadata", Map.of("name", "a")));
			SharedIndexInformer<V1Node> nodes = informers.informer(V1Node.class);
			HandlerRegistration registration = nodes.addHandler((event) -> {
				if (!this.story.contains("failed")) {
					this.story.add("failed");
					throw new IllegalStateException("for the test");
				}
				this.story.add("handled");
			}, (options) -> options.name("audit")
				.retry(new RetryPolicy(1, Duration.ofMillis(1), 1, Duration.ofMillis(1), Duration.ZERO)));
			informers.start();
			assertThat(registration.awaitSynced(LONG)).isTrue();
		}
		assertThat(this.story).containsExactly("before nodes audit ADDED", "failed", "after", "published a failure",
				"before nodes audit ADDED", "handled", "after", "published a success");
	}

	@Test
	void failure_isLoggedWithContextOfInvocation() throws Exception {
		Logger logger = (Logger) LoggerFactory.getLogger(SharedIndexInformer.class);
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		lines.start();
		logger.addAppender(lines);
		AtomicReference<Map<String, String>> handled = new AtomicReference<>();
		AtomicReference<Map<String, String>> handledByErrorHandler = new AtomicReference<>();
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
				InformerFactory informers = InformerFactory.create(() -> new ApiClient().setBasePath(kubernetes.url()),
						(settings) -> settings.interceptor((informer, handler, event, call) -> {
							try (MDC.MDCCloseable trace = MDC.putCloseable("traceId", "4711")) {
								call.proceed();
							}
						}))) {
			kubernetes.create(Map.of("apiVersion", "v1", "kind", "Node", "metadata", Map.of("name", "a")));
			HandlerRegistration registration = informers.informer(V1Node.class).addHandler((event) -> {
				handled.set(MDC.getCopyOfContextMap());
				throw new IllegalStateException("for the test");
			}, (options) -> options.name("audit")
				.retry(RetryPolicy.NONE)
				.errorHandler((failure) -> handledByErrorHandler.set(MDC.getCopyOfContextMap())));
			informers.start();
			assertThat(registration.awaitSynced(LONG)).isTrue();
		}
		finally {
			logger.detachAppender(lines);
		}
		Map<String, String> expected = Map.of("informer", "nodes", "handler", "audit", "name", "a", "traceId", "4711");
		assertThat(handled.get()).isEqualTo(expected);
		assertThat(handledByErrorHandler.get()).isEqualTo(expected);
		assertThat(lines.list).singleElement()
			.satisfies((line) -> assertThat(line.getMDCPropertyMap()).isEqualTo(expected));
	}

	private void intercept(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event,
			HandlerInterceptor.Invocation call) throws Exception {
		this.story.add("before " + informer.name() + " " + handler + " " + event.type());
		try {
			call.proceed();
		}
		finally {
			this.story.add("after");
		}
	}

	private final class Listener implements InformerListener {

		@Override
		public void onEvent(InformerEvent event) {
			if (event instanceof InformerEvent.HandlerInvoked invoked) {
				HandlerInterceptorTests.this.story
					.add((invoked.failure() != null) ? "published a failure" : "published a success");
			}
		}

	}

}
