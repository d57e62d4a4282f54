/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.aot;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * Registers reflection hints for the models of all informer and lister beans, so that
 * they can be decoded in a native image.
 */
final class WatchedModelsAotProcessor implements BeanFactoryInitializationAotProcessor {

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beanFactory) {
		List<ResolvableType> models = Stream.of(SharedIndexInformer.class, Lister.class)
			.flatMap((beanType) -> models(beanFactory, beanType))
			.toList();
		if (models.isEmpty()) {
			return null;
		}
		return (context, code) -> {
			ModelHints hints = new ModelHints(context.getRuntimeHints().reflection());
			models.forEach(hints::register);
		};
	}

	private static Stream<ResolvableType> models(ConfigurableListableBeanFactory beanFactory, Class<?> beanType) {
		return Stream.of(beanFactory.getBeanNamesForType(beanType, true, false))
			.filter(beanFactory::containsBeanDefinition)
			.map((name) -> beanFactory.getMergedBeanDefinition(name).getResolvableType().as(beanType).getGeneric(0))
			.filter((model) -> Objects.nonNull(model.resolve()));
	}

}
