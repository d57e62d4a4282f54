/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.test;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.informer.InformerEvent;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerListener;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Test execution listener that fails a test during which the application, or the test
 * itself, modified an object of a cache. A modification by a handler is detected at once,
 * any other within a second, so that the next test of the same context may be the one
 * that fails.
 * <p>
 * For that it sets {@code informer.defaults.mutation-detection} to {@code fail} for the
 * contexts of tests. It does nothing in a context that sets this property itself.
 */
public final class MutationDetectionTestExecutionListener implements TestExecutionListener, ContextCustomizerFactory {

	private static final String PROPERTY = "informer.defaults.mutation-detection";

	@Override
	public ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		return new Customizer();
	}

	@Override
	public void afterTestMethod(TestContext testContext) {
		throwFinding(testContext);
	}

	@Override
	public void afterTestClass(TestContext testContext) {
		throwFinding(testContext);
	}

	private static void throwFinding(TestContext testContext) {
		if (!testContext.hasApplicationContext()) {
			return;
		}
		ApplicationContext context = testContext.getApplicationContext();
		Findings findings = context.getBeanProvider(Findings.class).getIfAvailable();
		String first = (findings != null) ? findings.messages.poll() : null;
		if (findings != null && first != null) {
			findings.messages.clear();
			throw new AssertionError(first);
		}
	}

	/**
	 * Equal for all tests, which can share a context.
	 */
	private record Customizer() implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
			ConfigurableEnvironment environment = context.getEnvironment();
			if (!environment.containsProperty(PROPERTY)) {
				environment.getPropertySources()
					.addLast(new MapPropertySource("informerMutationDetection", Map.of(PROPERTY, "fail")));
				context.getBeanFactory().registerSingleton("informerMutationFindings", new Findings());
			}
		}

	}

	private static final class Findings implements InformerListener {

		private final Queue<String> messages = new ConcurrentLinkedQueue<>();

		@Override
		public void onEvent(InformerEvent event) {
			if (event instanceof InformerEvent.Failed failed && failed.failure().kind() == Kind.MUTATED_OBJECT) {
				this.messages.add(failed.failure().message());
			}
		}

	}

}
