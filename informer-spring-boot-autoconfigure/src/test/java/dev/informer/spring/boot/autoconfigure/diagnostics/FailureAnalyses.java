/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.informer.spring.docs.AdvisedKeys;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Analyses of failures by all analyzers, found as Spring Boot finds them.
 */
final class FailureAnalyses {

	private FailureAnalyses() {
	}

	static FailureAnalysis analyze(ApplicationContextRunner runner) {
		FailureAnalysis[] analysis = new FailureAnalysis[1];
		AtomicReference<ConfigurableApplicationContext> failed = new AtomicReference<>();
		runner.withInitializer(failed::set).run((context) -> {
			assertThat(context).hasFailed();
			analysis[0] = analyze(context.getStartupFailure(), Objects.requireNonNull(failed.get()).getBeanFactory(),
					failed.get().getEnvironment());
		});
		return analysis[0];
	}

	static FailureAnalysis analyze(@Nullable Throwable failure) {
		return analyze(failure, new DefaultListableBeanFactory());
	}

	static FailureAnalysis analyze(@Nullable Throwable failure, BeanFactory beanFactory) {
		return analyze(failure, beanFactory, new StandardEnvironment());
	}

	private static FailureAnalysis analyze(@Nullable Throwable failure, BeanFactory beanFactory,
			Environment environment) {
		assertThat(failure).isNotNull();
		FailureAnalysis analysis = analyzers(beanFactory, environment).map((analyzer) -> analyzer.analyze(failure))
			.filter((each) -> each != null)
			.findFirst()
			.orElseThrow();
		assertThat(AdvisedKeys.unknown(String.valueOf(analysis.getAction()))).as("keys without a property").isEmpty();
		return analysis;
	}

	static Stream<FailureAnalyzer> analyzers(BeanFactory beanFactory) {
		return analyzers(beanFactory, new StandardEnvironment());
	}

	private static Stream<FailureAnalyzer> analyzers(BeanFactory beanFactory, Environment environment) {
		ArgumentResolver arguments = ArgumentResolver.of(BeanFactory.class, beanFactory)
			.and(Environment.class, environment);
		return SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, arguments, FailureHandler.logging(LogFactory.getLog(FailureAnalyses.class)))
			.stream();
	}

}
