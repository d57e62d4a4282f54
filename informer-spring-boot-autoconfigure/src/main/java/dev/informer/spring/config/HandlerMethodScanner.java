package dev.informer.spring.config;

import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import dev.informer.spring.annotation.InformerHandler;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Finds the handler methods of a class, its own and inherited ones.
 */
public final class HandlerMethodScanner {

	private static final MetadataLookup<@Nullable InformerHandler> ANNOTATED = (method) -> AnnotatedElementUtils
		.findMergedAnnotation(method, InformerHandler.class);

	private HandlerMethodScanner() {
	}

	/**
	 * Finds the handler methods of a class.
	 * @param beanClass the class of a bean, not the one of its proxy
	 * @return its handler methods, in an order that does not change
	 * @throws InvalidHandlerMethodException when one of them cannot work
	 */
	public static List<HandlerMethod> scan(Class<?> beanClass) {
		if (BeanClasses.isInfrastructure(beanClass)
				|| !AnnotationUtils.isCandidateClass(beanClass, InformerHandler.class)) {
			return List.of();
		}
		Map<Method, InformerHandler> methods = MethodIntrospector.selectMethods(beanClass, ANNOTATED);
		return methods.entrySet()
			.stream()
			.sorted(Comparator.comparing((entry) -> entry.getKey().toGenericString()))
			.map((entry) -> new HandlerSignature(entry.getKey(), beanClass, entry.getValue()).read())
			.toList();
	}

}
