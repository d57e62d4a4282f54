package dev.informer.spring.registry;

import java.time.Duration;
import java.util.Objects;

import dev.informer.QueuePolicy;
import dev.informer.spring.annotation.InformerHandler;
import dev.informer.spring.config.HandlerMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringUtils;

/**
 * Reads what the annotation of a handler method says.
 */
final class HandlerEndpointReader {

	private final ConfigurableListableBeanFactory beanFactory;

	HandlerEndpointReader(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	HandlerEndpoint read(String beanName, HandlerMethod method) {
		InformerHandler annotation = method.annotation();
		String id = resolve(annotation.id());
		String informer = resolve(annotation.informer());
		QueuePolicy queue = (annotation.queue().length > 0) ? annotation.queue()[0] : null;
		return new HandlerEndpoint((id != null) ? id : beanName + "." + method.method().getName(), beanName, method,
				informer, resyncPeriod(method, resolve(annotation.resyncPeriod())), queue);
	}

	private static @Nullable Duration resyncPeriod(HandlerMethod method, @Nullable String value) {
		try {
			return (value != null) ? DurationStyle.detectAndParse(value) : null;
		}
		catch (IllegalArgumentException ex) {
			throw method.refuse("its resyncPeriod '" + value + "' is no duration",
					"Write a number and a unit, such as 10m or 30s, or 0 for never.");
		}
	}

	private @Nullable String resolve(String text) {
		if (!StringUtils.hasText(text)) {
			return null;
		}
		String value = this.beanFactory.resolveEmbeddedValue(text);
		BeanExpressionResolver resolver = this.beanFactory.getBeanExpressionResolver();
		Object evaluated = (resolver != null)
				? resolver.evaluate(value, new BeanExpressionContext(this.beanFactory, null)) : value;
		String resolved = Objects.toString(evaluated, "");
		return StringUtils.hasText(resolved) ? resolved : null;
	}

}
