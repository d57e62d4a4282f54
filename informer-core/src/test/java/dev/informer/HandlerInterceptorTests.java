/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.test.EmbeddedKubernetes;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HandlerInterceptor}.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class HandlerInterceptorTests {

	private static final Duration LONG = Duration.ofSeconds(20);

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
