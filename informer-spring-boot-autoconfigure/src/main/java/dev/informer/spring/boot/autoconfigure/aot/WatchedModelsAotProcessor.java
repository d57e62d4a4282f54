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
import dev.informer.spring.boot.autoconfigure.KnownPropertiesBindHandler;
import dev.informer.spring.config.DeclaredWrite;
import dev.informer.spring.config.InformerProperties.Writer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/**
 * Registers reflection hints for the models of all informer and lister beans and of the
 * declared writes, so that they can be decoded and written in a native image.
 */
final class WatchedModelsAotProcessor implements BeanFactoryInitializationAotProcessor {

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beanFactory) {
		List<ResolvableType> models = Stream
			.concat(Stream.of(SharedIndexInformer.class, Lister.class)
				.flatMap((beanType) -> models(beanFactory, beanType)), written(beanFactory))
			.toList();
		if (models.isEmpty()) {
			return null;
		}
		return (context, code) -> {
			ModelHints hints = new ModelHints(context.getRuntimeHints().reflection());
			models.forEach(hints::register);
		};
	}

	private static Stream<ResolvableType> written(ConfigurableListableBeanFactory beanFactory) {
		return Binder.get(beanFactory.getBean(Environment.class))
			.bind("informer.writer", Bindable.of(Writer.class), new KnownPropertiesBindHandler(BindHandler.DEFAULT))
			.map((writer) -> DeclaredWrite.of(writer).stream())
			.orElseGet(Stream::empty)
			.map((write) -> ResolvableType.forClass(write.resourceType().type()));
	}

	private static Stream<ResolvableType> models(ConfigurableListableBeanFactory beanFactory, Class<?> beanType) {
		return Stream.of(beanFactory.getBeanNamesForType(beanType, true, false))
			.filter(beanFactory::containsBeanDefinition)
			.map((name) -> beanFactory.getMergedBeanDefinition(name).getResolvableType().as(beanType).getGeneric(0))
			.filter((model) -> Objects.nonNull(model.resolve()));
	}

}
